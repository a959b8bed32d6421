// SPDX-License-Identifier: MIT
// One scenario of mcp-sdk.sh, or of both_ways.sh: node mcp-sdk.mjs SCENARIO ASSENT WORKSPACE [NAME]
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [scenario, assent, workspace, name = 'sdk-test'] = process.argv.slice(2);
const outside = path.join(path.dirname(workspace), 'outside');
// The SDK hands on few variables by itself: these stand for a user's own.
const { XDG_RUNTIME_DIR, XDG_STATE_HOME } = process.env;
const transport = () => new StdioClientTransport({
    command: assent,
    args: ['mcp'],
    cwd: workspace,
    env: { XDG_RUNTIME_DIR, XDG_STATE_HOME },
});
const elicits = scenario.startsWith('form');
const introduced = () => new Client({ name, version: '1.0.0' },
    { capabilities: elicits ? { elicitation: {} } : {} });
let client = introduced();

// Forms that were shown; what the user says to them is answer()'s.
const forms = [];
let answer;
if (elicits)
    client.setRequestHandler(ElicitRequestSchema, (request, extra) => {
        forms.push({ ...request.params, withdrawn: extra.signal });
        return answer(forms.at(-1));
    });
const accept = (decision) => ({ action: 'accept', content: { decision } });
const mark = (name) => fs.writeFileSync(path.join(path.dirname(workspace), name), '');

async function shell(args, options) {
    const result = await client.callTool({ name: 'shell', arguments: args }, undefined, options);
    return { ...result, text: result.content[0].text, data: result.structuredContent };
}

const scenarios = {
    async 'no-console'() {
        const result = await shell({ command: 'true' });
        assert.equal(result.isError, true);
        assert.match(result.text, /no Assent console is running for you: start one/);
    },

    async commands() {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map((tool) => tool.name),
            ['shell', 'write_stdin', 'apply_patch', 'request_permissions', 'approve']);
        assert.equal(client.getServerVersion().name, 'assent');
        await client.ping();

        const steps = [];
        const script = await shell({ command: 'echo out; echo err >&2; pwd; exit 3' },
            { onprogress: (step) => steps.push(step) });
        assert.equal(script.isError, false);
        assert.equal(script.text, `out\nerr\n${workspace}\n[exit code 3]\n`);
        assert.equal(script.data.exit_code, 3);
        assert.match(script.data.sandbox, /^workspace-write/);
        assert.deepEqual(steps.map((step) => step.progress), steps.map((_, index) => index + 1));

        // Words of an argv are no shell's business.
        const argv = await shell({ command: ['printf', '%s|', '$HOME', 'a b'] });
        assert.equal(argv.text, '$HOME|a b|\n');

        const refused = await shell({ command: `touch ${outside}` });
        assert.match(refused.text, /the sandbox blocked it: .*outside/);

        const relative = await shell({ command: 'true', cwd: 'x' });
        assert.equal(relative.isError, true);
        assert.match(relative.text, /cwd: expected an absolute path/);

        // Cancelling one call leaves another alone.
        const controller = new AbortController();
        const other = shell({ command: 'sleep 0.5; echo other' });
        const cancelled = shell({ command: 'sleep 1000' }, {
            signal: controller.signal,
            onprogress: (step) => step.message === 'running' && controller.abort('enough'),
        });
        await assert.rejects(cancelled, /enough/);
        assert.equal((await other).text, 'other\n');

        // A command that goes on, and is sent input.
        const begun = await shell({ command: 'echo first; read -r x; echo "got $x"', stdin: true, yield_ms: 500 });
        const { call } = begun.data;
        const go_on = (args) => client.callTool({ name: 'write_stdin', arguments: { call, ...args } });
        assert.match(begun.text, /^(first\n)?\[still (running|waiting)[^\n]*: poll with write_stdin, call \d+\]/);
        // On a busy machine it takes its time until it has begun.
        for (let text = begun.text; !text.includes('first\n');)
            text = (await go_on({ yield_ms: 500 })).content[0].text;
        const polled = await go_on({ yield_ms: 100 });
        assert.deepEqual([polled.structuredContent.outcome, polled.structuredContent.output], ['running', '']);
        const ended = await go_on({ input: 'that\n' });
        assert.equal(ended.content[0].text, 'got that\n');
        assert.equal(ended.structuredContent.exit_code, 0);
        assert.match((await go_on({})).content[0].text, /expected the number of a call that goes on/);

        const many = await Promise.all([...Array(20).keys()].map(
            (number) => shell({ command: ['echo', String(number)] })));
        assert.deepEqual(many.map((result) => result.text.trim()), [...Array(20).keys()].map(String));

        await assert.rejects(client.callTool({ name: 'no-such-tool', arguments: {} }), /-32602/);
    },

    async approved() {
        // The SDK loses a step that comes together with the result: the operator waits for this file.
        const told = path.join(path.dirname(workspace), 'told');
        const result = await shell({
            command: `: touch approved; touch ${outside}`,
            sandbox_permissions: 'require_escalated',
            justification: 'to see whether it can be done',
        }, { onprogress: (step) => step.message.startsWith('waiting for the operator') && fs.writeFileSync(told, '') });
        assert.equal(result.isError, false, result.text);
        assert.equal(result.data.decision.source, 'user');
        assert.equal(result.data.decision.kind, 'approved');
    },

    // It asked to leave, and the operator let it run in the sandbox.
    async kept() {
        const result = await shell({
            command: 'touch kept; echo done', sandbox_permissions: 'require_escalated',
        });
        assert.equal(result.text, 'done\n[the operator let it run once, in the sandbox and not outside it]\n');
        assert.equal(result.data.decision.kind, 'approved_sandboxed');
        assert.match(result.data.sandbox, /^workspace-write/);
    },

    async polled() {
        const waiting = await shell({
            command: ': touch polled; echo done', sandbox_permissions: 'require_escalated', yield_ms: 300,
        });
        assert.equal(waiting.data.outcome, 'waiting');
        assert.match(waiting.text, /still waiting for the operator/);
        fs.writeFileSync(path.join(path.dirname(workspace), 'polling'), '');
        const args = { call: waiting.data.call, yield_ms: 50000 };
        const result = await client.callTool({ name: 'write_stdin', arguments: args });
        assert.equal(result.content[0].text, 'done\n');
        assert.equal(result.structuredContent.decision.source, 'user');
    },

    async permitted() {
        const more = path.join(path.dirname(workspace), 'more');
        const ask = (args) => client.callTool({ name: 'request_permissions', arguments: args });
        const nothing = await ask({ reason: 'none' });
        assert.equal(nothing.structuredContent.granted, false);
        assert.match(nothing.content[0].text, /asks for nothing/);
        for (const place of ['/', process.env.HOME, path.dirname(process.env.HOME)]) {
            const refused = await ask({ reason: 'all', writable: [place] });
            assert.match(refused.content[0].text, /own settings/);
        }
        const granted = await ask({ reason: 'to build there', writable: [more] });
        assert.equal(granted.structuredContent.granted, true, granted.content[0].text);
        // Unasked, and in the sandbox.
        const written = await shell({ command: `touch ${path.join(more, 'file')}` });
        assert.equal(written.data.decision.source, 'config');
        assert.match(written.data.sandbox, /^workspace-write/);
        assert.equal(written.data.exit_code, 0);
    },

    // The operator's configuration lets this client answer.
    async 'form-decides'() {
        answer = () => accept('once');
        const once = await shell({ command: 'touch by-form' });
        assert.equal(once.data.outcome, 'exited', once.text);
        assert.deepEqual([once.data.decision.kind, once.data.decision.source], ['approved', 'client']);
        assert.match(forms[0].message, /^Assent asks: may this command run\?\n\ntouch by-form\n/);
        assert.equal(forms[0].requestedSchema.properties.decision.default, 'deny');
        assert.ok(fs.existsSync(path.join(workspace, 'by-form')));

        // Once is once; and who says no, or waves it away with a no, is heard.
        answer = () => accept('deny');
        const denied = await shell({ command: 'touch by-form' });
        assert.equal(denied.data.decision.source, 'client');
        assert.match(denied.text, /refused by the client's user/);
        answer = () => ({ action: 'decline' });
        const declined = await shell({ command: 'touch declined' });
        assert.deepEqual([declined.data.outcome, declined.data.decision.source], ['refused', 'client']);
        assert.equal(forms.length, 3);
    },

    // Whoever closes the form leaves it to the console.
    async 'form-closed'() {
        answer = () => (mark('closed'), { action: 'cancel' });
        const result = await shell({ command: 'touch closed-form' });
        assert.equal(result.data.decision.source, 'user');
        assert.equal(forms.length, 1);
    },

    // An answer that comes when the console has decided does nothing.
    async 'form-late'() {
        let withdrawn;
        answer = (form) => {
            withdrawn = new Promise((resolve) => {
                form.withdrawn.addEventListener('abort', () => resolve(accept('once')));
            });
            mark('late');
            return withdrawn;
        };
        const result = await shell({ command: 'touch late-form' });
        assert.deepEqual([result.data.outcome, result.data.decision.source], ['refused', 'user']);
        await withdrawn; // its notice and the result may come in either order
        assert.ok(!fs.existsSync(path.join(workspace, 'late-form')));
    },

    // What is of high risk is told, and not this client's to decide, whatever it says.
    async 'form-high'() {
        answer = () => (mark('high'), accept('once'));
        const result = await shell({
            command: `: high; rm -rf ${path.join(path.dirname(workspace), 'kept')}`,
            sandbox_permissions: 'require_escalated',
        });
        assert.deepEqual([result.data.outcome, result.data.decision.source], ['refused', 'user']);
        assert.match(forms[0].message, /Risk: high\nIt is answered there; what is chosen here decides nothing\./);
        assert.deepEqual(forms[0].requestedSchema.properties, {});
        assert.equal(forms.length, 1);
    },

    // Without that configuration all is told so.
    async 'form-informs'() {
        answer = () => (mark('informed'), accept('once'));
        const result = await shell({ command: 'touch informed-form' });
        assert.deepEqual([result.data.outcome, result.data.decision.source], ['refused', 'user']);
        assert.deepEqual(forms.map((form) => form.requestedSchema.properties), [{}]);
    },

    // The operator stops it while a command of its runs, and lets it ask again.
    async stopped() {
        const ended = await shell({ command: `sleep 1000; : by ${name}` });
        assert.equal(ended.isError, true);
        mark(`${name}.ended`);
        const refused = await shell({ command: 'true' });
        assert.equal(refused.data.exit_code, 77);
        assert.match(refused.text, /the operator has stopped this agent/);
        // Whoever comes again is the same.
        await client.close();
        client = introduced();
        await client.connect(transport());
        assert.match((await shell({ command: 'true' })).text, /the operator has stopped this agent/);
        mark(`${name}.refused`);
        while (!fs.existsSync(path.join(path.dirname(workspace), `${name}.go`)))
            await new Promise((resolve) => setTimeout(resolve, 50));
        const again = await shell({ command: 'echo again' });
        assert.equal(again.text, 'again\n');
        mark(`${name}.again`);
    },

    async denied() {
        const result = await shell({
            command: `: touch denied; touch ${path.join(path.dirname(workspace), 'denied')}`,
            sandbox_permissions: 'require_escalated',
        });
        assert.equal(result.isError, true);
        assert.equal(result.data.outcome, 'refused');
        assert.equal(result.data.exit_code, 77);
        assert.match(result.text, /refused by the operator/);
    },
};

await client.connect(transport());
await scenarios[scenario]();
await client.close();

// SPDX-License-Identifier: MIT
// An agent made with the protocol's own TypeScript SDK, which checks every message of ours against
// the protocol's schema: node acp-sdk.mjs. One prompt goes through all that a client serves.
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

const id = 'sdk-session';
let cwd;

function option(optionId, name, kind) {
    return { optionId, name, kind };
}

// What the operator and the console made of it, in one line.
async function work({ client, signal }) {
    const { client: methods } = acp.methods;
    const say = (text) => client.notify(methods.session.update, {
        sessionId: id, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    });
    await client.notify(methods.session.update, {
        sessionId: id,
        update: { sessionUpdate: 'usage_update', used: 1, size: 2 }, // of no interest to us
    });
    const terminal = await client.createTerminal({ sessionId: id, command: 'echo', args: ['from a terminal'] });
    await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.release();
    await say(`terminal: ${output.trim()}\n`);

    await client.request(methods.fs.writeTextFile, { sessionId: id, path: `${cwd}/written`, content: 'some text\n' });
    const { content } = await client.request(methods.fs.readTextFile, { sessionId: id, path: `${cwd}/written` });
    await say(`file: ${content}`);

    const toolCall = { toolCallId: 'call', title: 'a change', kind: 'execute', rawInput: { command: 'touch allowed' } };
    const permission = await client.request(methods.session.requestPermission, {
        sessionId: id, toolCall, options: [option('1', 'For ever', 'allow_always'), option('2', 'Yes', 'allow_once')],
    });
    await say(`permission: ${JSON.stringify(permission.outcome)}\n`);

    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const form = await client.request(methods.elicitation.create, {
        sessionId: id, mode: 'form', message: 'A name, please', requestedSchema,
    });
    await say(`form: ${JSON.stringify(form)}\n`);

    const missing = await client.request('_vendor/unknown', {}).then(() => 'answered', (error) => error.code);
    await say(`unknown: ${missing}\n`);
    return { stopReason: signal.aborted ? 'cancelled' : 'end_turn' };
}

acp.agent({ name: 'sdk' })
    .onRequest(acp.methods.agent.initialize, ({ params }) => {
        if (!params.clientCapabilities?.elicitation?.form)
            throw new Error('no forms');
        return {
            protocolVersion: acp.PROTOCOL_VERSION,
            agentInfo: { name: 'sdk-agent', title: 'SDK agent', version: '1' },
            agentCapabilities: { loadSession: false },
        };
    })
    .onRequest(acp.methods.agent.session.new, ({ params }) => {
        cwd = params.cwd;
        return { sessionId: id };
    })
    .onRequest(acp.methods.agent.session.prompt, work)
    .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

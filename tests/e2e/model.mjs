// SPDX-License-Identifier: MIT
// A language model's HTTP interface without a model: it follows a script, so that real agents can be
// driven without a key and a network. Loopback only.
//
//   node model.mjs SCRIPT PORT-FILE LOG
//
// SCRIPT is a JSON array of the tool calls that the model makes, one after the other:
// [{"tool": "shell", "arguments": {…}}, …]; after them it says "finished". A tool is found by the end of
// its name, because agents put the server's name before it. LOG gets a JSON line a request:
// {"tools": [names], "results": [texts of all tool results so far], "reply": "…"}.
import fs from 'node:fs';
import http from 'node:http';

const [scriptFile, portFile, logFile] = process.argv.slice(2);
const script = JSON.parse(fs.readFileSync(scriptFile, 'utf8'));
let serial = 0;

// Text of content in any of the forms: a string, an array of parts, a part.
function text(content) {
    if (typeof content === 'string')
        return content;
    if (Array.isArray(content))
        return content.map(text).join('\n');
    return content?.text ?? JSON.stringify(content) ?? '';
}

// What both interfaces stream: named server-sent events, each with its name in it.
function stream(response, events) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events)
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
}

// The Responses interface, where tools of a server may be grouped in a namespace.
const responses = {
    path: /\/responses$/,
    tools: (body) => (body.tools ?? []).flatMap((tool) => (tool.type === 'namespace'
        ? tool.tools.map((inner) => ({ name: inner.name, namespace: tool.name }))
        : [{ name: tool.name }])),
    results: (body) => (body.input ?? [])
        .filter((item) => item.type === 'function_call_output').map((item) => text(item.output)),
    reply(response, says, tool, input) {
        const item = tool === null
            ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: says, annotations: [] }] }
            : { type: 'function_call', call_id: `call_${serial}`, arguments: JSON.stringify(input), ...tool };
        Object.assign(item, { id: `item_${serial}`, status: 'completed' });
        const whole = {
            id: `response_${serial}`, object: 'response', model: 'scripted', status: 'completed', output: [item],
            usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
        };
        stream(response, [
            { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
            { type: 'response.output_item.added', output_index: 0, item },
            { type: 'response.output_item.done', output_index: 0, item },
            { type: 'response.completed', response: whole },
        ]);
    },
};

const messages = {
    path: /\/messages$/,
    tools: (body) => (body.tools ?? []).map((tool) => ({ name: tool.name })),
    results: (body) => body.messages.flatMap((message) => (Array.isArray(message.content) ? message.content : []))
        .filter((part) => part.type === 'tool_result').map((part) => text(part.content)),
    reply(response, says, tool, input) {
        const block = tool === null
            ? { type: 'text', text: '' } : { type: 'tool_use', id: `toolu_${serial}`, name: tool.name, input: {} };
        const delta = tool === null
            ? { type: 'text_delta', text: says }
            : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
        const message = {
            id: `msg_${serial}`, type: 'message', role: 'assistant', model: 'scripted', content: [],
            stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 },
        };
        const stop = { stop_reason: tool === null ? 'end_turn' : 'tool_use', stop_sequence: null };
        stream(response, [
            { type: 'message_start', message },
            { type: 'content_block_start', index: 0, content_block: block },
            { type: 'content_block_delta', index: 0, delta },
            { type: 'content_block_stop', index: 0 },
            { type: 'message_delta', delta: stop, usage: { output_tokens: 1 } },
            { type: 'message_stop' },
        ]);
    },
};

// The turn is told from the conversation alone, so that an agent may send a request again.
function answer(dialect, body, response) {
    const tools = dialect.tools(body);
    const results = dialect.results(body);
    const step = tools.length > 0 ? script[results.length] : undefined;
    const tool = step && tools.find((offered) => offered.name?.endsWith(step.tool));
    let says = 'finished';
    if (step && !tool)
        says = `the tool ${step.tool} is not offered`;
    fs.appendFileSync(logFile, `${JSON.stringify({
        tools: tools.map((offered) => offered.name), results, reply: tool ? tool.name : says,
    })}\n`);
    dialect.reply(response, says, tool ?? null, step?.arguments);
}

const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request)
        chunks.push(chunk);
    serial += 1;
    const { pathname } = new URL(request.url, 'http://localhost');
    const dialect = [responses, messages].find((candidate) => candidate.path.test(pathname));
    if (request.method === 'POST' && dialect) {
        answer(dialect, JSON.parse(Buffer.concat(chunks)), response);
        return;
    }
    response.writeHead(request.method === 'HEAD' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(request.method === 'HEAD' ? undefined : '{"error":{"message":"there is no such thing here"}}');
});

server.listen(0, '127.0.0.1', () => {
    fs.writeFileSync(`${portFile}.new`, String(server.address().port));
    fs.renameSync(`${portFile}.new`, portFile);
});

// SPDX-License-Identifier: MIT
// What Assent says in the protocols of agents, held against their schemas.
//
//   node protocols.mjs PROTOCOL SCHEMA CONVERSATION…
//
// PROTOCOL is acp, appserver or mcp. SCHEMA: of acp the SDK's schema.json; of appserver the directory
// that `codex app-server generate-json-schema` has written; of mcp nothing (the SDK's types are used).
// Each CONVERSATION is a file as tests/unit/kept.h has it. For each kind of message that we send, and
// for each of theirs that a test has as the schema has it, a line is printed: "we result tools/call".
// What we say and the schema does not allow is told, and the exit status is 1 then; what they say may
// be wrong, tests do that. Run where the SDK of MCP is installed, which brings ajv.
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import * as mcp from '@modelcontextprotocol/sdk/types.js'

const [protocol, schema, ...files] = process.argv.slice(2)
const options = { strict: false, allErrors: true, validateFormats: false, logger: false }

// ---- one checker for each protocol: (what, method) => error text or null, undefined: no schema ----

const explain = validate => value =>
  validate(value) ? null : validate.errors.map(e => `${e.instancePath || '/'} ${e.message}`).join('; ')

function acp() {
  const all = JSON.parse(readFileSync(schema))
  const ajv = new Ajv2020(options)
  ajv.addSchema(all, 'acp')
  const find = (method, suffix) => {
    const name = Object.keys(all.$defs).find(name =>
      all.$defs[name]['x-method'] === method && name.endsWith(suffix))
    return name && explain(ajv.compile({ $ref: `acp#/$defs/${name}` }))
  }
  return {
    request: method => check(find(method, 'Request'), message => message.params),
    notification: method => check(find(method, 'Notification'), message => message.params),
    result: method => check(find(method, 'Response'), message => message.result),
  }
}

function appserver() {
  const ajv = new Ajv(options)
  const load = name => existsSync(`${schema}/${name}.json`) &&
    explain(ajv.compile(JSON.parse(readFileSync(`${schema}/${name}.json`))))
  const requests = { we: load('ClientRequest'), they: load('ServerRequest') }
  const notifications = { we: load('ClientNotification'), they: load('ServerNotification') }
  const results = {
    'item/commandExecution/requestApproval': 'CommandExecutionRequestApprovalResponse',
    'item/fileChange/requestApproval': 'FileChangeRequestApprovalResponse',
    'item/permissions/requestApproval': 'PermissionsRequestApprovalResponse',
    'item/tool/requestUserInput': 'ToolRequestUserInputResponse',
    'mcpServer/elicitation/request': 'McpServerElicitationRequestResponse',
    execCommandApproval: 'ExecCommandApprovalResponse',
    applyPatchApproval: 'ApplyPatchApprovalResponse',
    initialize: 'v1/InitializeResponse',
    'thread/start': 'v2/ThreadStartResponse',
    'thread/resume': 'v2/ThreadResumeResponse',
    'turn/start': 'v2/TurnStartResponse',
    'turn/interrupt': 'v2/TurnInterruptResponse',
  }
  return {
    request: (method, who) => check(requests[who], message => message),
    notification: (method, who) => check(notifications[who], message => message),
    result: method => check(load(results[method]), message => message.result),
  }
}

function modelContext() {
  const zod = type => type && (value => {
    const parsed = type.safeParse(value)
    return parsed.success ? null : parsed.error.issues.map(i => `${i.path.join('/')} ${i.message}`).join('; ')
  })
  const results = {
    initialize: mcp.InitializeResultSchema,
    ping: mcp.EmptyResultSchema,
    'tools/list': mcp.ListToolsResultSchema,
    'tools/call': mcp.CallToolResultSchema,
    'elicitation/create': mcp.ElicitResultSchema,
  }
  const requests = { we: mcp.ServerRequestSchema, they: mcp.ClientRequestSchema }
  const notifications = { we: mcp.ServerNotificationSchema, they: mcp.ClientNotificationSchema }
  return {
    request: (method, who) => check(zod(requests[who]), message => message),
    notification: (method, who) => check(zod(notifications[who]), message => message),
    result: method => check(zod(results[method]), message => message.result),
  }
}

function check(validate, part) {
  return validate ? message => validate(part(message)) : undefined
}

// ---- conversations ---------------------------------------------------------------------------

const checkers = { acp, appserver, mcp: modelContext }[protocol]()
const compiled = new Map()
const heard = new Set()
let wrong = 0

function complain(file, message, why) {
  wrong++
  console.log(`${basename(file)}: ${why}\n  ${JSON.stringify(message)}`)
}

function isError(error) {
  return Number.isInteger(error?.code) && typeof error.message === 'string'
}

// The kinds of what agents report are told apart as well.
function kindOf(message) {
  const update = message.params?.update?.sessionUpdate ?? message.params?.item?.type
  return update === undefined ? '' : ` ${update}`
}

// `asked`: what the other side has asked by its id.
function checkMessage(file, who, message, asked) {
  const complaint = who === 'we' ? complain : () => {}
  const kind = message.method === undefined ? 'result' : 'id' in message ? 'request' : 'notification'
  if ((protocol === 'appserver') === (message.jsonrpc === '2.0')) {
    complaint(file, message, 'jsonrpc')
    return
  }
  if (message.error !== undefined) {
    if (!isError(message.error))
      complaint(file, message, 'no error as JSON-RPC has it')
    return
  }
  const method = message.method ?? asked.get(JSON.stringify(message.id))
  if (method === undefined) {
    complaint(file, message, 'nobody has asked')
    return
  }
  const key = `${who} ${kind} ${method}`
  if (!compiled.has(key))
    compiled.set(key, checkers[kind](method, who))
  const checker = compiled.get(key)
  if (checker === undefined) {
    complaint(file, message, `the schema has no ${key}`)
    return
  }
  const why = checker(message)
  if (why === null)
    heard.add(key + kindOf(message))
  else
    complaint(file, message, `${key}: ${why}`)
}

function parse(line) {
  try {
    return [JSON.parse(line)].flat()
  } catch {
    return []
  }
}

// Chunks are no lines yet.
for (const file of files) {
  const rest = { we: '', they: '' }
  const asked = { we: new Map(), they: new Map() } // by their id: the method
  for (const chunk of readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse)) {
    const who = chunk.ours ? 'we' : 'they'
    const lines = (rest[who] + chunk.bytes).split('\n')
    rest[who] = lines.pop()
    for (const message of lines.flatMap(parse)) {
      if (message === null || typeof message !== 'object')
        continue
      checkMessage(file, who, message, asked[who === 'we' ? 'they' : 'we'])
      if (message.method !== undefined && message.id !== undefined)
        asked[who].set(JSON.stringify(message.id), message.method)
    }
  }
}
console.log([...heard].sort().join('\n'))
process.exit(wrong > 0 ? 1 : 0)

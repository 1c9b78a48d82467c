import { gzipSync } from 'node:zlib'
import {
  answerTo,
  event,
  type HostileScript,
  json,
  notice,
  openStream,
  pour,
  raw,
  repeat,
  stream,
} from './hostile-mcp-server.js'

/**
 * How a call may end: by an answer, or in one of the failures that are documented. `fault`: this service could not make the
 * request. No answer of a server may end so.
 */
export type CallEnd =
  | 'fault'
  | 'result'
  | 'error'
  | 'unreachable'
  | 'refused'
  | 'credential'
  | 'timeout'
  | 'too_large'
  | 'bad_answer'
  | 'cancelled'

export interface HostileAnswer {
  name: string
  script: HostileScript
  ends: CallEnd | readonly CallEnd[]
  /** Where it ends by time alone. */
  timeoutMs?: number
  /** How often the call may reach the server; once if not said. */
  calls?: number
}

/** What a call is let read. */
export const maxBytes = 1_048_576
// Long enough that the call has reached the server by then.
const shortMs = 1_000

/** What a server may answer a call with. */
export const hostileAnswers: HostileAnswer[] = [
  { name: 'never answers', script: () => undefined, ends: 'timeout', timeoutMs: shortMs },
  {
    name: 'opens a stream and says nothing',
    script: stream(() => undefined),
    ends: 'timeout',
    timeoutMs: shortMs,
  },
  {
    name: 'drips a byte now and then',
    script: stream((response) => {
      const drip = setInterval(() => response.write(':'), 20)
      response.on('close', () => clearInterval(drip))
    }),
    ends: 'timeout',
    timeoutMs: shortMs,
  },
  {
    name: 'drips its JSON',
    script: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    },
    ends: 'timeout',
    timeoutMs: shortMs,
  },
  {
    name: 'reports progress for ever',
    script: stream((response, id) => {
      const report = notice('notifications/progress', { progressToken: id, progress: 1 })
      const drip = setInterval(() => response.write(report), 20)
      response.on('close', () => clearInterval(drip))
    }),
    ends: 'timeout',
    // Progress makes it ten times as long.
    timeoutMs: 600,
  },
  {
    name: 'pours comments',
    script: stream((response) => pour(response, repeat(': still here\n\n'))),
    ends: 'too_large',
  },
  {
    name: 'pours one line without an end',
    script: stream((response) => pour(response, repeat('x'))),
    ends: 'too_large',
  },
  {
    name: 'pours notifications',
    script: stream((response) =>
      pour(response, repeat(notice('notifications/message', { level: 'info', data: 'x' }))),
    ),
    ends: 'too_large',
  },
  {
    name: 'pours progress of others',
    script: stream((response) =>
      pour(response, repeat(notice('notifications/progress', { progressToken: 'not-mine', progress: 1 }))),
    ),
    ends: 'too_large',
  },
  {
    name: 'pours JSON',
    script: (_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .write('{"jsonrpc":"2.0","result":{"a":"')
      pour(response, repeat('x'))
    },
    ends: 'too_large',
  },
  {
    name: 'has a result that is too large',
    script: json((id) => answerTo(id, { a: 'x'.repeat(maxBytes) })),
    ends: 'too_large',
  },
  {
    name: 'has an event that is too large',
    script: stream((response, id) => response.end(event(answerTo(id, { a: 'x'.repeat(maxBytes) })))),
    ends: 'too_large',
  },
  { name: 'answers another request', script: json(() => answerTo(7)), ends: 'bad_answer' },
  {
    name: 'answers another request in a stream',
    script: stream((response) => response.end(event(answerTo(7)))),
    ends: 'bad_answer',
  },
  { name: 'answers with the id as text', script: json((id) => answerTo(String(id))), ends: 'bad_answer' },
  { name: 'answers with an id that is no id', script: json(() => answerTo({ a: 1 })), ends: 'bad_answer' },
  {
    name: 'answers with a broken number for an id',
    script: json((id) => answerTo(Number(id) + 0.5)),
    ends: 'bad_answer',
  },
  { name: 'answers without an id', script: json(() => ({ jsonrpc: '2.0', result: {} })), ends: 'bad_answer' },
  { name: 'answers nobody', script: json(() => answerTo(null)), ends: 'bad_answer' },
  { name: 'answers twice at once', script: json((id) => [answerTo(id), answerTo(id)]), ends: 'bad_answer' },
  { name: 'answers in a batch of one', script: json((id) => [answerTo(id)]), ends: 'result' },
  {
    name: 'answers twice in a stream',
    script: stream((response, id) => response.end(event(answerTo(id)).repeat(2))),
    ends: 'result',
  },
  { name: 'answers with an empty batch', script: json(() => []), ends: 'bad_answer' },
  {
    name: 'answers with a thousand messages',
    script: json(() => Array.from({ length: 1_000 }, () => answerTo(1))),
    ends: 'bad_answer',
  },
  {
    name: 'speaks another JSON-RPC',
    script: json((id) => ({ ...answerTo(id), jsonrpc: '1.0' })),
    ends: 'bad_answer',
  },
  {
    name: 'gives a result and an error',
    script: json((id) => ({ ...answerTo(id), error: { code: 1, message: '' } })),
    ends: 'bad_answer',
  },
  {
    name: 'gives neither result nor error',
    script: json((id) => ({ jsonrpc: '2.0', id })),
    ends: 'bad_answer',
  },
  ...['"text"', 'null', '[]', '7', 'true'].map((result) => ({
    name: `has ${result} for a result`,
    script: json((id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`),
    ends: 'bad_answer' as const,
  })),
  ...['{}', '{"code":"1","message":""}', '{"code":1}', '{"code":1e30,"message":""}', 'null', '"no"'].map(
    (error) => ({
      name: `has ${error} for an error`,
      script: json((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`),
      ends: 'bad_answer' as const,
    }),
  ),
  {
    name: 'has an error of JSON-RPC',
    script: json((id) => ({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } })),
    ends: 'error',
  },
  {
    name: 'cannot read the request, it says',
    script: json(() => ({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'no' } })),
    ends: 'error',
  },
  { name: 'sends no JSON', script: json(() => 'certainly!'), ends: 'bad_answer' },
  {
    name: 'sends half of its JSON',
    script: json((id) => `{"jsonrpc":"2.0","id":${id},"result":{`),
    ends: 'bad_answer',
  },
  {
    name: 'sends a byte order mark',
    script: json((id) => `\ufeff${JSON.stringify(answerTo(id))}`),
    ends: 'bad_answer',
  },
  {
    name: 'sends what is no UTF-8',
    script: json((id) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"a":"\xff"}}`, 'latin1')),
    ends: 'bad_answer',
  },
  {
    name: 'sends what is no UTF-8 in a stream',
    script: stream((response, id) =>
      response.end(Buffer.from(`data: {"jsonrpc":"2.0","id":${id},"result":{"a":"\xff"}}\n\n`, 'latin1')),
    ),
    ends: 'bad_answer',
  },
  {
    name: 'nests ten thousand deep',
    script: json(
      (id) => `{"jsonrpc":"2.0","id":${id},"result":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
    ),
    ends: 'bad_answer',
  },
  {
    name: 'has a member twice',
    script: json((id) => `{"jsonrpc":"2.0","id":1,"id":${id},"result":{}}`),
    ends: 'bad_answer',
  },
  {
    name: 'has a member of its result twice',
    script: json((id) => `{"jsonrpc":"2.0","id":${id},"result":{"a":1,"\\u0061":2}}`),
    ends: 'bad_answer',
  },
  {
    name: 'has twenty thousand members',
    script: json((id) =>
      answerTo(id, Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`m${i}`, 0]))),
    ),
    ends: 'bad_answer',
  },
  {
    name: 'has a number of a thousand digits',
    script: json((id) => `{"jsonrpc":"2.0","id":${id},"result":{"a":${'9'.repeat(1_000)}}}`),
    ends: 'bad_answer',
  },
  {
    name: 'names its prototype',
    script: json((id) => `{"jsonrpc":"2.0","id":${id},"__proto__":{"error":1},"result":{"__proto__":1}}`),
    ends: 'result',
  },
  {
    name: 'sends a page',
    script: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ends: 'bad_answer',
  },
  { name: 'sends nothing', script: (_, response) => response.writeHead(200).end(), ends: 'bad_answer' },
  { name: 'sends empty JSON', script: json(() => ''), ends: 'bad_answer' },
  {
    name: 'takes it without an answer',
    script: (_, response) => response.writeHead(202).end(),
    ends: 'bad_answer',
  },
  { name: 'has no content', script: (_, response) => response.writeHead(204).end(), ends: 'bad_answer' },
  {
    name: 'ends its stream without an answer',
    script: stream((response) => response.end(': bye\n\n')),
    ends: 'bad_answer',
  },
  {
    name: 'ends its stream inside of the answer',
    script: stream((response, id) => response.end(event(answerTo(id)).slice(0, -2))),
    ends: 'bad_answer',
  },
  ...[500, 502, 503, 400, 404, 405, 406, 429].map((status) => ({
    name: `answers HTTP ${status}`,
    script: ((_, response) => response.writeHead(status).end('no')) as HostileScript,
    ends: 'refused' as const,
    calls: status === 404 ? 2 : 1,
  })),
  ...[400, 500].map((status) => ({
    name: `answers an error with HTTP ${status}`,
    script: json((id) => ({ jsonrpc: '2.0', id, error: { code: -32_602, message: 'no' } }), { status }),
    ends: 'error' as const,
  })),
  {
    name: 'answers another request with HTTP 400',
    script: json(() => ({ jsonrpc: '2.0', id: 7, error: { code: 1, message: 'no' } }), { status: 400 }),
    ends: 'refused',
  },
  {
    name: 'pours an error',
    script: (_, response) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      pour(response, repeat(' '))
    },
    ends: ['refused', 'too_large'],
  },
  { name: 'wants a credential', script: (_, response) => response.writeHead(401).end(), ends: 'credential' },
  { name: 'forbids it', script: (_, response) => response.writeHead(403).end(), ends: 'credential' },
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `sends elsewhere with HTTP ${status}`,
    script: ((_, response, __, elsewhere) =>
      response.writeHead(status, { location: elsewhere }).end()) as HostileScript,
    ends: 'refused' as const,
  })),
  {
    name: 'sends a bomb',
    script: (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 * 1_048_576))),
    ends: 'bad_answer',
  },
  { name: 'hangs up before it answers', script: (_, __, socket) => socket.destroy(), ends: 'unreachable' },
  { name: 'resets the connection', script: (_, __, socket) => socket.resetAndDestroy(), ends: 'unreachable' },
  {
    name: 'resets after its headers',
    script: raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n', 'reset'),
    ends: 'unreachable',
  },
  {
    name: 'resets inside of its answer',
    script: raw(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"jsonrpc"',
      'reset',
    ),
    ends: 'unreachable',
  },
  {
    name: 'says more than it promised',
    script: raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}{}{}'),
    ends: ['bad_answer', 'unreachable'],
  },
  { name: 'speaks no HTTP', script: raw('SSH-2.0-banner\r\n'), ends: 'bad_answer' },
  {
    name: 'has chunks that are none',
    script: raw(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n',
    ),
    ends: ['bad_answer', 'unreachable'],
  },
  {
    name: 'has a megabyte of headers',
    script: raw(`HTTP/1.1 200 OK\r\n${'x-long: '.padEnd(8_000, 'x')}\r\n`.repeat(150)),
    ends: ['too_large', 'bad_answer', 'unreachable'],
  },
  {
    name: 'hints for ever',
    script: (_, __, socket) => {
      const hint = setInterval(
        () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(10)),
        5,
      )
      socket.on('close', () => clearInterval(hint))
    },
    ends: ['bad_answer', 'unreachable', 'timeout'],
    timeoutMs: 5_000,
  },
  {
    name: 'asks without an end',
    script: stream((response) => {
      let id = 0
      pour(response, () =>
        event({ jsonrpc: '2.0', id: `q${++id}`, method: 'elicitation/create', params: {} }),
      )
    }),
    ends: ['bad_answer', 'too_large'],
  },
  {
    name: 'asks for a sign of life without an end',
    script: stream((response) => {
      let id = 0
      pour(response, () => event({ jsonrpc: '2.0', id: ++id, method: 'ping' }))
    }),
    ends: ['bad_answer', 'too_large'],
  },
  {
    name: 'asks under an id that is none',
    script: stream((response) => response.write(event({ jsonrpc: '2.0', id: [1], method: 'ping' }))),
    ends: 'bad_answer',
  },
  {
    name: 'has a method of a thousand letters',
    script: stream((response) => response.write(event({ jsonrpc: '2.0', method: 'x'.repeat(1_000) }))),
    ends: 'bad_answer',
  },
  {
    name: 'has params that are no object',
    script: stream((response) =>
      response.write(event({ jsonrpc: '2.0', method: 'notifications/message', params: [1] })),
    ),
    ends: 'bad_answer',
  },
  {
    name: 'speaks with carriage returns',
    script: stream((response, id) =>
      response.end(`\r: hello\r\rdata: ${JSON.stringify(answerTo(id))}\r\r\n`),
    ),
    ends: 'result',
  },
  {
    name: 'has events of other names',
    script: stream((response, id) => response.end(`event: other\ndata: nonsense\n\n${event(answerTo(id))}`)),
    ends: 'result',
  },
  {
    name: 'answers, and never ends its stream',
    script: stream((response, id) => response.write(event(answerTo(id)))),
    ends: 'result',
  },
  {
    name: 'answers, and resets the connection',
    script: (_, response, socket) => {
      openStream(response).write(event(answerTo(_.id)), () => socket.resetAndDestroy())
    },
    ends: ['result', 'unreachable'],
  },
]

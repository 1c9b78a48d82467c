import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallSummary } from '../call-summary.js'
import { createLog } from './log.js'
import { isLogField } from './log-table.js'

const answered: CallSummary = {
  requestId: 'req_1',
  receipt: 7,
  tenant: 'ten_1',
  key: 'key_1',
  user: 'ada',
  team: 'team_1',
  session: 'run-1',
  tags: { project: 'alpha' },
  endpoint: 'chat',
  route: '/v1/chat/completions',
  model: 'gpt-4o',
  provider: 'openai',
  vendor: 'openai',
  target: 'gpt-4o',
  upstream: 'gpt-4o-2024-08-06',
  answerId: null,
  tool: null,
  server: null,
  stream: false,
  attempts: 1,
  status: 200,
  upstreamStatus: 200,
  outcome: 'ok',
  error: null,
  inputTokens: 12,
  outputTokens: 34,
  cachedTokens: 0,
  costNanos: 5_480_001,
  usage: 'provider',
  doubt: null,
  latencyMs: 1234.56789,
  firstByteMs: 5.0004,
  beginMs: 10,
  endMs: 12,
  stages: [
    { name: 'read', beginMs: 10, endMs: 10.0126 },
    { name: 'receive', beginMs: 10.0126, endMs: 12 },
  ],
  traceId: null,
}
const error = (type: string, fields: object = {}) => ({
  type,
  message: `words of ${type}`,
  cause: undefined,
  policy: null,
  check: null,
  fault: null,
  isLost: false,
  ...fields,
})
const refused: CallSummary = {
  ...answered,
  receipt: null,
  outcome: 'refused',
  status: 429,
  error: error('rate_limit_exceeded'),
  stages: [],
}

function open(format: 'json' | 'pretty' = 'json', level = 'info') {
  const lines: string[] = []
  const log = createLog({ level, format, destination: { write: (line) => void lines.push(line) } })
  return { log, lines, parsed: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) }
}

describe('the line of a call', () => {
  test('never contains the value of a key, wherever a caller put it', () => {
    const key = `tallystick_sk_${'a1'.repeat(20)}`
    for (const format of ['json', 'pretty'] as const) {
      const { log, lines } = open(format)
      log.call({ ...answered, session: key, tags: { k: `x${key}` } })
      log.refused({ ...refused, model: `${'m'.repeat(150)}${key}` })
      log.general.error({ err: new Error(`cannot read ${key}`) }, `about ${key}`)
      expect(lines).toHaveLength(3)
      for (const line of lines) {
        expect(line).toContain('tallystick_sk_…')
        expect(line).not.toContain('a1a1')
      }
    }
  })

  test('contains the caller, the outcome, the cost, and the time of each stage', () => {
    const { log, parsed } = open()
    log.call(answered)
    expect(parsed()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        pid: process.pid,
        hostname: expect.any(String),
        requestId: 'req_1',
        receipt: 7,
        tenant: 'ten_1',
        key: 'key_1',
        user: 'ada',
        team: 'team_1',
        session: 'run-1',
        tags: { project: 'alpha' },
        endpoint: 'chat',
        model: 'gpt-4o',
        provider: 'openai',
        upstream: 'gpt-4o-2024-08-06',
        stream: false,
        attempts: 1,
        status: 200,
        upstreamStatus: 200,
        outcome: 'ok',
        inputTokens: 12,
        outputTokens: 34,
        cachedTokens: 0,
        costNanos: 5_480_001,
        usage: 'provider',
        latencyMs: 1234.568,
        firstByteMs: 5,
        stages: { read: 0.013, receive: 1.987 },
        msg: 'call answered',
      },
    ])
  })

  test.each<[string, Partial<CallSummary>, string]>([
    ['an answer', {}, 'info'],
    ['a redacted answer', { outcome: 'redacted' }, 'info'],
    ['a caller that hung up', { outcome: 'aborted', status: 499 }, 'info'],
    ['a policy that blocks', { outcome: 'blocked', status: 403, error: error('policy_violation') }, 'info'],
    ['a caller without a key', { outcome: 'refused', status: 401, error: error('unauthorized') }, 'info'],
    ['a provider that refuses what it was sent', { outcome: 'upstream_error', upstreamStatus: 400 }, 'info'],
    ['a provider that refuses our key', { outcome: 'upstream_error', upstreamStatus: 401 }, 'warn'],
    ['a provider that has enough', { outcome: 'upstream_error', upstreamStatus: 429 }, 'warn'],
    ['a provider that fails', { outcome: 'upstream_error', upstreamStatus: 500 }, 'warn'],
    ['a provider that is away', { outcome: 'upstream_error', upstreamStatus: null }, 'warn'],
    ['a count that cannot be right', { doubt: 'no tokens' }, 'warn'],
    [
      'a service that stops',
      { outcome: 'failed', status: 503, error: error('unavailable', { fault: 'shutdown' }) },
      'warn',
    ],
    [
      'a fault of ours',
      { outcome: 'failed', status: 500, error: error('internal_error', { fault: 'internal' }) },
      'error',
    ],
    ['a database that is away', { outcome: 'refused', status: 503, error: error('unavailable') }, 'error'],
    ['a receipt that is lost', { status: 503, error: error('unavailable', { isLost: true }) }, 'error'],
    ['a process that died', { outcome: 'interrupted', status: 500 }, 'error'],
  ])('has a level that means something: %s', (_, fields, level) => {
    const { log, parsed } = open()
    log.call({ ...answered, ...fields })
    expect(parsed()).toMatchObject([{ level }])
  })

  test('contains the message of an error only if it cannot repeat what the caller sent', () => {
    const { log, parsed } = open()
    log.call({ ...answered, outcome: 'refused', status: 400, error: error('invalid_request') })
    log.call({ ...answered, outcome: 'refused', status: 429, error: error('rate_limit_exceeded') })
    expect(parsed().map(({ error, reason }) => [error, reason])).toEqual([
      ['invalid_request', undefined],
      ['rate_limit_exceeded', 'words of rate_limit_exceeded'],
    ])
  })

  test('contains the cause of a fault in this service, without what it may quote', () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (x)=(secret)' })
    const quoted = new SyntaxError('Unexpected token in "Dear doctor"')
    const { log, lines, parsed } = open()
    const failed = { ...answered, outcome: 'blocked', status: 500 }
    log.call({ ...failed, error: error('internal_error', { cause }) })
    log.call({ ...failed, error: error('internal_error', { cause: quoted }) })
    expect(parsed()).toMatchObject([
      { err: { type: 'Error', message: 'duplicate key', code: '23505' } },
      { err: { type: 'SyntaxError', message: 'a text could not be parsed' } },
    ])
    expect(lines.join('')).not.toMatch(/secret|doctor/)
  })
})

describe('no line contains a field that is not in the table', () => {
  const namesOf = (lines: Record<string, unknown>[]) => [...new Set(lines.flatMap(Object.keys))]

  test('the line of a call', () => {
    const { log, parsed } = open()
    const cause = new Error('because', { cause: new Error('of this') })
    log.call({ ...answered, doubt: 'doubt', traceId: 'a'.repeat(32) })
    log.call({
      ...answered,
      outcome: 'blocked',
      error: error('internal_error', { cause, policy: 'p', check: 'c' }),
    })
    for (let index = 0; index < 12; index++) log.refused(refused)
    log.close()
    expect(parsed()).toHaveLength(13)
    expect(namesOf(parsed()).filter((name) => !isLogField(name))).toEqual([])
  })

  test('any other line: fields that are not in the table are omitted', () => {
    const { log, lines, parsed } = open()
    log.general.warn({ prompt: 'secret', headers: { authorization: 'secret' }, calls: 3 }, 'something')
    log.general.error(new Error('thrown'))
    log.failed('pruning')(Object.assign(new Error('gone'), { code: 'ECONNREFUSED', query: 'secret' }))
    expect(namesOf(parsed()).filter((name) => !isLogField(name))).toEqual([])
    expect(lines.join('')).not.toContain('secret')
    expect(parsed()).toMatchObject([
      { level: 'warn', calls: 3, msg: 'something' },
      { level: 'error', err: { message: 'thrown' }, msg: 'thrown' },
      {
        work: 'pruning',
        advice: expect.stringContaining('cannot be reached'),
        msg: 'pruning failed; it will be retried',
      },
    ])
  })
})

describe('values that a caller chose cannot forge a line or make it long', () => {
  // Line ends, terminal escapes, bidirectional marks, lone surrogates.
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'\n\r\x1b\x9b\u2028\u202e"\\ =ab'), maxLength: 50 }),
    fc.constant('\ud800'),
    fc.constant('x'.repeat(100_000)),
    fc.constant('a\n{"level":"error","msg":"forged"}'),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  const unsafe = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

  test.each(['json', 'pretty'] as const)('as %s', (format) => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (user, model, value) => {
        const { log, lines } = open(format)
        const summary = {
          ...answered,
          user,
          model,
          session: value,
          upstream: model,
          tags: { a: value.slice(0, 128) },
        }
        log.call({ ...summary, error: error('upstream_error', { message: value }) })
        log.general.warn({ work: value, err: new Error(user) }, `about ${model}`)
        const [call = '', general = ''] = lines
        expect(lines).toHaveLength(2)
        expect(call.indexOf('\n')).toBe(call.length - 1)
        expect(lines.join('').replaceAll('\n', '')).not.toMatch(unsafe)
        expect(call.length).toBeLessThan(6_000)
        expect(general.length).toBeLessThan(20_000)
        if (format === 'json') {
          expect(general.indexOf('\n')).toBe(general.length - 1)
          expect(JSON.parse(call)).toMatchObject({ requestId: 'req_1', msg: 'call answered' })
          expect(JSON.parse(general)).toMatchObject({ level: 'warn' })
        } else for (const line of general.split('\n').slice(1, -1)) expect(line).toMatch(/^ {2}/)
      }),
    )
  })
})

describe('repeated lines', () => {
  test('a caller in a loop gets ten lines a minute for each error, and a count of the rest', () => {
    const { log, parsed } = open()
    for (let index = 0; index < 1_000; index++) log.refused(refused)
    log.refused({ ...refused, key: 'key_2' })
    log.refused({ ...refused, status: 401, error: error('unauthorized') })
    expect(parsed()).toHaveLength(12)
    log.close()
    expect(parsed().slice(12)).toMatchObject([{ heldBack: 990, key: 'key_1', error: 'rate_limit_exceeded' }])
  })

  test('the same error of background work is omitted, a different one is not', () => {
    const { log, parsed } = open()
    const failed = log.failed('pruning')
    for (let index = 0; index < 100; index++) failed(new Error(`attempt ${index} failed`))
    failed(new Error('something else'))
    expect(parsed()).toHaveLength(11)
    log.close()
    expect(parsed().slice(11)).toMatchObject([{ heldBack: 90, msg: 'pruning failed; it will be retried' }])
  })

  test('a call with a receipt always has its line', () => {
    const { log, lines } = open()
    for (let index = 0; index < 1_000; index++) log.call({ ...answered, outcome: 'upstream_error' })
    expect(lines).toHaveLength(1_000)
  })

  test('callers cannot make the table of omitted lines grow without bound', () => {
    const { log, lines } = open()
    for (let index = 0; index < 5_000; index++) log.refused({ ...refused, key: `key_${index}` })
    expect(lines).toHaveLength(1_010)
    log.close()
    expect(lines).toHaveLength(1_011)
  })
})

test('below its level nothing is written', () => {
  const { log, lines } = open('json', 'warn')
  log.call(answered)
  log.refused(refused)
  log.general.info('something')
  expect(lines).toEqual([])
  expect([log.writes('info'), log.writes('error')]).toEqual([false, true])
})

test('for people: the time, the level, what happened, then the fields', () => {
  const { log, lines } = open('pretty')
  log.call({ ...answered, session: 'two words', tags: null })
  expect(lines.join('')).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} INFO {2}call answered requestId=req_1 receipt=7 .*session="two words".* cost=\$0\.005480001 \(read 0\.013, receive 1\.987 ms\)\n$/,
  )
})

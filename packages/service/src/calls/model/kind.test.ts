import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { priceFromUsd } from '../../../../record/src/pricing/index.js'
import { type BodyLimits, createServer } from '../../http/index.js'
import { type AdmissionStore, createMemoryAdmission } from '../../limits/index.js'
import { createPolicyJudge, noPolicies } from '../../policies/index.js'
import {
  createModelDirectory,
  createTokenCounter,
  type Provider,
  type TokenCounter,
  type UpstreamSink,
} from '../../providers/index.js'
import type { NewReceipt } from '../../record/index.js'
import { ApiError, databaseUnavailable, unauthorized, unavailable } from '../../shared/errors.js'
import { createSliceQueue } from '../../shared/slice-queue.js'
import { eachStage, type Stages } from '../core/index.js'
import type { FinishedModelAttempt } from './attempt/finished-attempt.js'
import type { IdempotentCalls } from './idempotency/idempotent-calls.js'
import { createRecordingMemory } from './idempotency/recording-caller.js'
import type { ModelParts } from './kind.js'
import { type RefusedCall, registerGateway } from './routes.js'
import { TargetHealth } from './routing/target-health.js'

// Parts that fail where they must not. Whatever fails after a call was let in: it is settled once and receipted once.

interface Bench {
  call(body?: object): Promise<{ status: number; text: string }>
  receipts: NewReceipt[]
  finished: FinishedModelAttempt[]
  refused: RefusedCall[]
  settled: number[]
  readReservedNanos(account: Parameters<AdmissionStore['readReservedNanos']>[1]): Promise<number>
}

const principal = {
  tenantId: 'tenant',
  role: 'member' as const,
  userId: null,
  keyId: 'key_1',
  sessionId: null,
  suspended: false,
}
const entitlements = {
  tenantId: 'tenant',
  key: {
    id: 'key_1',
    name: 'Key',
    role: 'member' as const,
    metadata: {},
    tags: {},
    rpmLimit: null,
    tpmLimit: 100_000,
    limitsSince: 0,
    allowedModels: null,
    allowedTools: null,
  },
  user: null,
  team: null,
}
const yieldToEventLoop = createSliceQueue()
const said = { model: 'm', choices: [{ message: { content: 'one two' } }] }
const answer = JSON.stringify({ ...said, usage: { prompt_tokens: 8, completion_tokens: 2 } })
const answerWithoutUsage = JSON.stringify(said)

/** All that such a model produces can be seen. */
const properties = {
  tokenizer: 'o200k',
  contextWindow: null,
  maxOutputTokens: null,
  images: null,
  reasons: false,
  audioTokensPerSecond: null,
  toolPromptTokens: 0,
  vendorToolTokens: 0,
  usesPerCall: {},
} as const
const price = priceFromUsd({ inputUsdPerMTok: 1, outputUsdPerMTok: 1 })
const model = {
  ...({ model: 'm', provider: 'p', mode: 'chat', outputField: 'max_tokens' } as const),
  ...{ price, properties, hostedToolTokens: {} },
}
const models = new Map([['p/m', model]])
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Clock = Parameters<typeof createMemoryAdmission>[1]
type Send = Provider['transport']['send']
const handle = { resume: () => undefined, abort: () => undefined }

const answerWith =
  (text: string): Send =>
  (_, sink) => {
    setImmediate(() => {
      sink.head(200, { 'content-type': 'application/json' })
      sink.data(Buffer.from(text))
      sink.end()
    })
    return handle
  }
const answerPlainly = answerWith(answer)

const answerStreaming =
  (then: (sink: UpstreamSink) => void): Send =>
  (_, sink) => {
    setImmediate(() => {
      sink.head(200, { 'content-type': 'text/event-stream' })
      sink.data(Buffer.from('data: {"choices":[{"delta":{"content":"one two"},"finish_reason":"stop"}]}\n\n'))
      then(sink)
    })
    return handle
  }

const unusedStore: AdmissionStore = {
  admit: () => Promise.reject(new Error('not used')),
  settle: () => Promise.reject(new Error('not used')),
  release: async () => undefined,
  countReceipts: async () => undefined,
  readLimitStatuses: async () => [],
  readReservedNanos: async () => 0,
  forgetTenant: async () => undefined,
  check: async () => undefined,
  close: async () => undefined,
}

const unusedIdempotentCalls: IdempotentCalls = {
  take: () => Promise.reject(new Error('not used')),
  find: () => Promise.reject(new Error('not used')),
  end: () => undefined,
  nextChange: () => ({ happened: Promise.resolve(), stop: () => undefined }),
  close: async () => undefined,
}

async function build(
  send: Send,
  broken: Partial<ModelParts> & { stopping?: AbortSignal; clock?: Clock; answerLimits?: BodyLimits } = {},
): Promise<Bench> {
  const provider: Provider = {
    id: 'p',
    name: 'p',
    dialects: ['chat'],
    pricesOf: 'p',
    hangUpGraceMs: 5_000,
    limits: { maxStreamBytes: 2 ** 29, maxAnswerBytes: 2 ** 27 },
    auth: 'own',
    references: 'issued',
    credentialCount: 0,
    credentialRejectionStatuses: [401, 403],
    credentials: () => [],
    check: async () => ({ ok: true, latencyMs: 0, error: null }),
    pickHeaders: () => ({}),
    transport: { send, retire: () => undefined, close: async () => undefined },
  }
  const tokens = await createTokenCounter()
  let generation = 0
  const admission = createMemoryAdmission(
    {
      loadTenantUsage: async () => ({ generation: ++generation, limitsVersion: 0, uses: [], openCalls: [] }),
      loadAccountSpend: async (_, accounts) => accounts.map(() => ({ asOfSeq: 0, spentNanos: 0 })),
    },
    broken.clock,
  )
  const receipts: NewReceipt[] = []
  const finished: FinishedModelAttempt[] = []
  const refused: RefusedCall[] = []
  const settled: number[] = []
  const log = pino({ level: 'silent' })
  const app = await createServer({ log, yieldToEventLoop: createSliceQueue() })
  await registerGateway(app, {
    addRoutes: null,
    authMethods: [{ read: () => 'key', verify: async () => principal }],
    entitlementsOf: async () => entitlements,
    renewLimits: broken.renewLimits ?? (async (of) => of),
    issuedReferences: { find: async () => new Map() },
    prices: { ensure: async () => 'price' },
    openCalls: broken.openCalls ?? { open: async () => true },
    waitUntilMayServe: async () => true,
    idempotentCalls: unusedIdempotentCalls,
    cachedAnswers: {
      hash: () => Promise.reject(new Error('not used')),
      find: () => Promise.reject(new Error('not used')),
      keep: () => undefined,
    },
    erasedTo: async () => 0,
    onCacheError: () => undefined,
    recordingMemory: createRecordingMemory(0),
    contentCapture: { settingsFor: async () => null, add: () => undefined },
    admission: {
      ...unusedStore,
      admit: (request) => admission.admit(request),
      release: (hold) => admission.release(hold),
      async settle(hold, actual) {
        settled.push(actual.tokens ?? Number.NaN)
        await (broken.admission ?? admission).settle(hold, actual)
      },
    },
    directories: {
      for: async () =>
        createModelDirectory({
          providers: [provider],
          catalogue: { models, refused: new Map() },
          settings: {},
        }),
    },
    tokens: broken.tokens ?? tokens,
    routes: { find: async () => null, list: async () => [] },
    health: new TargetHealth(() => performance.now()),
    random: Math.random,
    onFurtherAttempt: () => undefined,
    prompts: { resolve: () => Promise.reject(new Error('no prompt is used')), forget: () => undefined },
    spendLimits: broken.spendLimits ?? {
      limitsFor: async () => ({ limits: [], version: 0 }),
      forget: () => undefined,
    },
    packsInForce: { current: async () => [], forget: () => undefined },
    policySets: {
      current: async (tenantId) => ({
        tenantId,
        hash: '',
        policies: [],
        selectFor: () => ({ all: [], input: noPolicies, output: noPolicies }),
      }),
      forget: () => undefined,
    },
    policies: createPolicyJudge({ ask: async () => null, holdBackChars: () => 256, yieldToEventLoop }),
    yieldToEventLoop,
    revocations: { watch: () => () => undefined },
    ...(broken.answerLimits && { answerLimits: broken.answerLimits }),
    ledger: {
      available: () => true,
      faultOf: () => null,
      async append(receipt) {
        receipts.push(receipt)
        return broken.ledger ? await broken.ledger.append(receipt) : { seq: 1 }
      },
    },
    stopping: broken.stopping ?? new AbortController().signal,
    now: () => performance.now(),
    onRateLimited: () => undefined,
    onFinished: (call) => void finished.push(call),
    onRefused: (call) => void refused.push(call),
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  stops.push(async () => {
    await app.close()
    await tokens.close()
  })
  return {
    receipts,
    finished,
    refused,
    settled,
    readReservedNanos: (account) => admission.readReservedNanos('tenant', account),
    async call(body = {}) {
      const response = await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-api-key': 'any', 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({
          model: 'm',
          messages: [{ role: 'user', content: 'Hello!' }],
          max_tokens: 10,
          ...body,
        }),
      })
      return { status: response.status, text: await response.text() }
    },
  }
}

const brokenStore = {
  admission: { ...unusedStore, settle: () => Promise.reject(new Error('the store is away')) },
}
const brokenLedger = {
  ledger: {
    append: () => Promise.reject(unavailable('The record of this call could not be made durable')),
    available: () => true,
    faultOf: () => null,
    close: async () => undefined,
  },
}

describe('a call that was let in is settled once and receipted once', () => {
  test('when nothing goes wrong', async () => {
    const { call, receipts, settled } = await build(answerPlainly)
    expect(await call()).toEqual({ status: 200, text: answer })
    expect(settled).toEqual([10])
    expect(receipts.map(({ draft }) => draft.costNanos)).toEqual([10_000])
  })

  test('when there is no room for its answer: at what was reserved, and there is room for the next', async () => {
    const bytes = answer.length
    const limits = { totalBytes: bytes, perTenantBytes: bytes, perKeyBytes: bytes }
    const parts = [answer, answer]
    const answerInParts: Send = (_, sink) => {
      setImmediate(() => {
        sink.head(200, { 'content-type': 'application/json' })
        for (const part of parts) sink.data(Buffer.from(part))
        sink.end()
      })
      return handle
    }
    const { call, receipts } = await build(answerInParts, { answerLimits: limits })
    expect(await call()).toMatchObject({ status: 503, text: expect.stringContaining('not enough memory') })
    expect(receipts.map(({ draft }) => [draft.outcome, draft.fault, draft.usage])).toEqual([
      ['failed', 'capacity', 'reserved'],
    ])
    parts.pop()
    expect(await call()).toEqual({ status: 200, text: answer })
  })

  test('when it cannot be settled', async () => {
    const { call, receipts, settled } = await build(answerPlainly, brokenStore)
    expect(await call()).toEqual({ status: 200, text: answer })
    expect(settled).toHaveLength(1)
    expect(receipts.map(({ draft }) => draft.outcome)).toEqual(['ok'])
  })

  test('when its provider does not say what it used: at no less than that', async () => {
    const { call, receipts, settled } = await build(answerWith(answerWithoutUsage))
    expect(await call()).toEqual({ status: 200, text: answerWithoutUsage })
    const { usage, inputTokens = 0, outputTokens = 0 } = receipts[0]?.draft ?? {}
    expect(usage).toBe('counted')
    expect(inputTokens).toBeGreaterThanOrEqual(8)
    // Two words, and what stands around them.
    expect(outputTokens).toBe(10)
    expect(settled).toEqual([inputTokens + outputTokens])
  })

  test('when its tokens cannot be counted: at what was reserved', async () => {
    const counter = await createTokenCounter()
    stops.push(counter.close)
    let isBroken = false
    const measure: TokenCounter['measure'] = (...asked) =>
      isBroken ? Promise.reject(new Error('the counter is broken')) : counter.measure(...asked)
    const broken: TokenCounter = {
      measure,
      forTenant: () => ({ measure }),
      count: counter.count,
      close: async () => undefined,
    }
    const { call, receipts, settled } = await build(
      (request, sink) => {
        isBroken = true
        return answerWith(answerWithoutUsage)(request, sink)
      },
      { tokens: broken },
    )
    expect((await call()).status).toBe(200)
    const [receipt] = receipts
    expect(receipt?.draft).toMatchObject({ usage: 'reserved', outputTokens: 10 })
    expect(settled).toEqual([(receipt?.draft.inputTokens ?? 0) + 10])
    expect(receipts).toHaveLength(1)
  })

  test.each<[string, Send]>([
    [
      'throws',
      () => {
        throw new Error('no such socket')
      },
    ],
    [
      'fails before it returns',
      (_, sink) => {
        sink.fail(new ApiError('upstream_error', 'at once'), 'connect')
        return handle
      },
    ],
  ])('when the transport %s, so that nothing can have arrived', async (_, send) => {
    const { call, receipts, settled } = await build(send)
    const { status, text } = await call()
    expect(status).toBe(502)
    expect(JSON.parse(text).error.type).toBe('upstream_error')
    expect(settled).toEqual([0])
    expect(receipts.map(({ draft }) => [draft.outcome, draft.status, draft.costNanos])).toEqual([
      ['upstream_error', 502, 0],
    ])
  })

  test.each<[string, Send]>([
    [
      'fails twice',
      (_, sink) => {
        setImmediate(() => {
          sink.fail(new ApiError('upstream_error', 'once'))
          sink.fail(new ApiError('upstream_error', 'twice'))
          sink.end()
        })
        return handle
      },
    ],
    [
      'ends without having begun',
      (_, sink) => {
        setImmediate(() => sink.end())
        return handle
      },
    ],
  ])(
    'when the transport %s: at what was reserved, since the provider may have worked on it',
    async (_, send) => {
      const { call, receipts, settled } = await build(send)
      const { status, text } = await call()
      expect(status).toBe(502)
      expect(JSON.parse(text).error.type).toBe('upstream_error')
      expect(settled).toHaveLength(1)
      expect(
        receipts.map(({ draft }) => [draft.outcome, draft.status, draft.usage, draft.outputTokens]),
      ).toEqual([['upstream_error', 502, 'reserved', 10]])
    },
  )

  test('when the transport goes on after the end of a stream', async () => {
    const { call, receipts, settled } = await build(
      answerStreaming((sink) => {
        sink.data(Buffer.from('data: [DONE]\n\n'))
        sink.data(Buffer.from('data: [DONE]\n\n'))
        sink.fail(new ApiError('upstream_error', 'reset'))
        sink.end()
      }),
    )
    const { text } = await call({ stream: true })
    expect(text.match(/\[DONE\]/g)).toHaveLength(1)
    expect(settled).toHaveLength(1)
    expect(receipts.map(({ draft }) => draft.outcome)).toEqual(['ok'])
  })

  test('when the service is already stopping: nothing is sent, nothing is owed', async () => {
    let sent = 0
    const send: Send = (request, sink) => {
      sent++
      return answerPlainly(request, sink)
    }
    const { call, receipts, settled } = await build(send, { stopping: AbortSignal.abort() })
    expect((await call()).status).toBe(503)
    expect(sent).toBe(0)
    expect(settled).toEqual([0])
    expect(receipts.map(({ draft }) => [draft.outcome, draft.fault, draft.costNanos])).toEqual([
      ['failed', 'shutdown', 0],
    ])
  })

  test('when the service stops in the middle of a stream: at what was reserved', async () => {
    const stopping = new AbortController()
    const { call, receipts } = await build(
      answerStreaming(() => stopping.abort()),
      { stopping: stopping.signal },
    )
    const { text } = await call({ stream: true })
    expect(text).toContain('one two')
    expect(JSON.parse(text.slice(text.lastIndexOf('data: ') + 6)).error.type).toBe('unavailable')
    expect(
      receipts.map(({ draft }) => [draft.outcome, draft.fault, draft.status, draft.outputTokens]),
    ).toEqual([['failed', 'shutdown', 503, 10]])
  })
})

describe('a receipt that cannot be made durable', () => {
  test('keeps a plain answer from its caller', async () => {
    const { call, receipts } = await build(answerPlainly, brokenLedger)
    const { status, text } = await call()
    expect(status).toBe(503)
    expect(text).not.toContain('one two')
    expect(receipts).toHaveLength(1)
  })

  test('keeps the end of a stream from its caller', async () => {
    const { call } = await build(
      answerStreaming((sink) => sink.data(Buffer.from('data: [DONE]\n\n'))),
      brokenLedger,
    )
    const { text } = await call({ stream: true })
    expect(text).not.toContain('[DONE]')
    expect(JSON.parse(text.slice(text.lastIndexOf('data: ') + 6)).error.type).toBe('unavailable')
  })
})

describe('between admission and forwarding', () => {
  test('a call whose limits were built anew is admitted again, and forwarded once', async () => {
    const generations: (number | null)[] = []
    const openCalls = {
      open: async ({ generation }: { generation: number | null }) => generations.push(generation) > 1,
      close: async () => undefined,
    }
    let sent = 0
    const send: Send = (request, sink) => {
      sent++
      return answerPlainly(request, sink)
    }
    const { call, receipts } = await build(send, { openCalls })
    expect((await call()).status).toBe(200)
    expect(generations).toHaveLength(2)
    expect(sent).toBe(1)
    expect(receipts.map(({ draft }) => draft.outcome)).toEqual(['ok'])
  })

  test('a call whose key is revoked before it is stored as open keeps nothing reserved', async () => {
    const account = { scopeType: 'key' as const, scopeId: 'key_1', startMs: 0, endMs: null }
    const limit = { account, limitNanos: 1_000_000_000, source: { id: null, name: 'A limit' } }
    const { call, receipts, readReservedNanos } = await build(answerPlainly, {
      spendLimits: { limitsFor: async () => ({ limits: [limit], version: 0 }), forget: () => undefined },
      openCalls: { open: async () => false },
      renewLimits: () => Promise.reject(unauthorized()),
    })
    expect((await call()).status).toBe(401)
    expect(receipts).toEqual([])
    expect(await readReservedNanos(account)).toBe(0)
  })

  test('a call that cannot be noted is not forwarded, and leaves a receipt that says so', async () => {
    const openCalls = {
      open: () => Promise.reject(databaseUnavailable('The database is away')),
      close: async () => undefined,
    }
    const send: Send = () => {
      throw new Error('forwarded')
    }
    const { call, receipts, settled } = await build(send, { openCalls })
    expect((await call()).status).toBe(503)
    expect(receipts.map(({ draft }) => [draft.outcome, draft.fault, draft.status, draft.costNanos])).toEqual([
      ['failed', 'database', 503, 0],
    ])
    expect(settled).toEqual([0])
  })

  test('a call that is admitted after midnight spends the money of the new day, though it came before', async () => {
    const midnight = Date.UTC(2030, 0, 2)
    const dayMs = 86_400_000
    // The day as it was when the call came: the store's clock is past it when the store is asked.
    const asked: number[] = []
    const spendLimits: ModelParts['spendLimits'] = {
      async limitsFor(_, _filing, now) {
        asked.push(now.getTime())
        const startMs = now.getTime() < midnight ? midnight - dayMs : midnight
        const account = { scopeType: 'key' as const, scopeId: 'key_1', startMs, endMs: startMs + dayMs }
        return {
          limits: [{ account, limitNanos: 1_000_000, source: { id: null, name: 'A limit' } }],
          version: 0,
        }
      },
      forget: () => undefined,
    }
    const clock = { now: () => 5, epochOffsetMs: () => midnight }
    const opened: string[] = []
    const openCalls: ModelParts['openCalls'] = {
      async open({ receipt }) {
        opened.push(receipt.draft.ts)
        return true
      },
    }
    const { call, receipts } = await build(answerPlainly, { spendLimits, clock, openCalls })
    expect((await call()).status).toBe(200)
    expect(asked).toHaveLength(2)
    expect(opened).toEqual(['2030-01-02T00:00:00.005Z'])
    expect(receipts[0]?.draft.ts).toBe('2030-01-02T00:00:00.005Z')
  })
})

describe('an operator is told of each call once', () => {
  function namesOf(stages: Stages): string[] {
    const names: string[] = []
    let lastMs = stages.arrivedMs
    eachStage(stages, (name, beginMs, endMs) => {
      expect(beginMs).toBe(lastMs)
      expect(endMs).toBeGreaterThanOrEqual(beginMs)
      lastMs = endMs
      names.push(name)
    })
    return names
  }
  const toAdmit = ['read', 'receive', 'plan', 'reserve', 'admit']
  const toAnswer = [...toAdmit, 'guard', 'forward', 'answer', 'settle', 'record']

  test('with its receipt and every stage, when it was answered', async () => {
    const { call, finished, refused, receipts } = await build(answerPlainly)
    await call()
    expect(refused).toEqual([])
    expect(finished).toMatchObject([{ seq: 1, fault: null, error: null, upstreamStatus: 200 }])
    expect(finished[0]?.draft).toBe(receipts[0]?.draft)
    expect(finished.map(({ stages }) => namesOf(stages))).toEqual([toAnswer])
  })

  test('when it was streamed', async () => {
    const { call, finished } = await build(
      answerStreaming((sink) => sink.data(Buffer.from('data: [DONE]\n\n'))),
    )
    await call({ stream: true })
    expect(finished.map(({ stages }) => namesOf(stages))).toEqual([toAnswer])
    expect(finished[0]?.firstByteMs).toBeGreaterThan(0)
  })

  test('when its provider failed: up to the failure', async () => {
    const { call, finished, refused } = await build((_, sink) => {
      sink.fail(new ApiError('upstream_timeout', 'silent'))
      return handle
    })
    expect((await call()).status).toBe(504)
    expect(refused).toEqual([])
    expect(finished).toMatchObject([
      { error: { type: 'upstream_timeout' }, upstreamStatus: null, firstByteMs: null },
    ])
    expect(finished.map(({ stages }) => namesOf(stages))).toEqual([
      toAnswer.filter((name) => name !== 'answer'),
    ])
  })

  test('when its receipt could not be made durable: with the reason', async () => {
    const { call, finished, refused } = await build(answerPlainly, brokenLedger)
    expect((await call()).status).toBe(503)
    expect(refused).toEqual([])
    expect(finished).toMatchObject([{ seq: null, fault: { type: 'unavailable' } }])
  })

  test('when its model does not exist: with its key and model', async () => {
    const { call, finished, refused } = await build(answerPlainly)
    expect((await call({ model: 'nope' })).status).toBe(404)
    expect(finished).toEqual([])
    expect(refused).toMatchObject([
      { error: { type: 'model_not_found' }, principal: { keyId: 'key_1' }, progress: { target: null } },
    ])
    expect(refused[0]?.progress.call?.model).toBe('nope')
    expect(refused.map(({ progress }) => namesOf(progress.stages))).toEqual([['read', 'receive']])
  })

  test('when it cannot be read: with its key', async () => {
    const { call, refused } = await build(answerPlainly)
    expect((await call({ stream: 'yes' })).status).toBe(400)
    expect(refused).toMatchObject([{ error: { type: 'invalid_request' }, progress: { call: null } }])
  })
})

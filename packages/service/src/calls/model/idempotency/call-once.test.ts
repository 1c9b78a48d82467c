import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { noPolicies } from '../../../policies/index.js'
import { endpoints } from '../../../providers/index.js'
import { deriveAnswerKeys } from '../../../resources/idempotency/index.js'
import type { Caller } from '../caller.js'
import { callOnce, type IdempotencyParts, type KeyedCall } from './call-once.js'
import { fingerprintOf } from './fingerprint.js'
import { createRecordingMemory } from './recording-caller.js'
import type { StoredIdempotentCall } from './store.js'

const headers = { authorization: 'Bearer a-key', 'idempotency-key': 'once' }
const body = Buffer.from('{}')
const url = '/v1/chat/completions'
const principal = {
  tenantId: 't',
  role: 'member',
  userId: null,
  keyId: 'k',
  sessionId: null,
  suspended: false,
} as const
const incoming: KeyedCall = {
  id: 'req_1',
  principal,
  headers,
  url,
  body,
  endpoint: endpoints.chat,
  credential: 'a-key',
}
const yieldToEventLoop = async () => undefined

const caller: Caller = {
  log: pino({ level: 'silent' }),
  addHeaders: () => undefined,
  isGone: () => false,
  onGone: () => () => undefined,
  send: () => undefined,
  sendError: () => undefined,
  abandon: () => undefined,
  openStream: () => {
    throw new Error('not used')
  },
}

/** The first request with the key is under way, and never ends. */
async function callForever(parts: Partial<IdempotencyParts>): Promise<IdempotencyParts> {
  const salt = randomBytes(16)
  const fingerprint = await fingerprintOf(
    { url, headers, body },
    deriveAnswerKeys('a-key', 'once', salt),
    yieldToEventLoop,
  )
  const claimed: StoredIdempotentCall = {
    salt,
    fingerprint,
    state: 'calling',
    sealed: null,
    isAbandoned: false,
  }
  return {
    idempotentCalls: {
      take: async () => false,
      find: async () => claimed,
      end: () => undefined,
      nextChange: () => ({ happened: Promise.resolve(), stop: () => undefined }),
      close: async () => undefined,
    },
    recordingMemory: createRecordingMemory(0),
    onReplayed: () => undefined,
    yieldToEventLoop,
    shutdown: { fired: () => false, add: () => undefined, remove: () => undefined },
    entitlementsOf: async () => ({
      tenantId: 't',
      key: {
        ...{ id: 'k', name: 'k', role: 'member', metadata: {}, tags: {} },
        ...{ rpmLimit: null, tpmLimit: null, limitsSince: 0, allowedModels: null, allowedTools: null },
      },
      user: null,
      team: null,
    }),
    policySets: {
      current: async () => ({
        ...{ tenantId: 't', hash: '', policies: [] },
        selectFor: () => ({ all: [], input: noPolicies, output: noPolicies }),
      }),
    },
    now: () => 0,
    ...parts,
  }
}

const neverCalled = () => Promise.reject(new Error('it was called twice'))

test('a request waits two minutes for its twin, and is then told when to come back', async () => {
  let nowMs = 0
  let waits = 0
  const parts = await callForever({
    now: () => {
      nowMs += 1_000
      waits++
      return nowMs
    },
  })
  await expect(callOnce(incoming, caller, neverCalled, parts)).rejects.toMatchObject({
    type: 'conflict',
    message: expect.stringContaining('still open'),
    extras: { retry_after: 5 },
  })
  expect(waits).toBe(121)
})

test('it stops waiting when the service stops', async () => {
  const parts = await callForever({
    shutdown: { fired: () => true, add: () => undefined, remove: () => undefined },
  })
  await expect(callOnce(incoming, caller, neverCalled, parts)).rejects.toMatchObject({
    type: 'unavailable',
  })
})

test('it stops waiting when its caller leaves', async () => {
  let isAbandoned = false
  const abandon = () => {
    isAbandoned = true
  }
  const leaving = { ...caller, isGone: () => true, abandon }
  await callOnce(incoming, leaving, neverCalled, await callForever({}))
  expect(isAbandoned).toBe(true)
})

test('while claims cannot be asked, nothing is called', async () => {
  const parts = await callForever({})
  const away = { ...parts.idempotentCalls, take: () => Promise.reject(new Error('away')) }
  await expect(
    callOnce(incoming, caller, neverCalled, { ...parts, idempotentCalls: away }),
  ).rejects.toMatchObject({
    type: 'unavailable',
  })
})

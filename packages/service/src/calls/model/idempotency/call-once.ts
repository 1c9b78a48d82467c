import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Principal, userSuspended } from '../../../http/index.js'
import type { PolicySets } from '../../../policies/index.js'
import type { Endpoint } from '../../../providers/index.js'
import { type AnswerKeys, deriveAnswerKeys } from '../../../resources/idempotency/index.js'
import { type Entitlements, scopeIdsOf } from '../../../resources/keys/index.js'
import {
  ApiError,
  conflict,
  databaseUnavailable,
  invalidField,
  serviceStopping,
  unauthorized,
} from '../../../shared/errors.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { ShutdownSignal } from '../../core/index.js'
import type { IncomingCall } from '../call.js'
import type { Caller } from '../caller.js'
import { fingerprintOf } from './fingerprint.js'
import type { IdempotentCalls } from './idempotent-calls.js'
import { decodeAnswer, encodeAnswer, type RecordedAnswer } from './recorded-answer.js'
import { RecordingCaller, type RecordingMemory } from './recording-caller.js'
import type { IdempotentCallId, StoredIdempotentCall } from './store.js'

export interface IdempotencyParts {
  idempotentCalls: IdempotentCalls
  recordingMemory: RecordingMemory
  yieldToEventLoop: YieldToEventLoop
  shutdown: ShutdownSignal
  policySets: Pick<PolicySets, 'current'>
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  /** Called when an earlier answer is replayed. */
  onReplayed(): void
  /** The monotonic clock, in milliseconds. */
  now(): number
}

export interface KeyedCall extends IncomingCall {
  endpoint: Endpoint
  /** The secret that authenticated the call. Stored answers are encrypted with a key that is derived from it. */
  credential: string
}

export const idempotencyHeader = 'idempotency-key'

const printable = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/
const maxAnswerBytes = 4 * 1024 * 1024
/** How long a repeated request waits for the first one before it is refused with a retry hint. */
const maxWaitMs = 120_000
const retryAfterSeconds = 5
const hangUpGraceMs = 5_000

/**
 * Makes a call once for each Idempotency-Key of a virtual key. Within 24 hours the same request receives the same answer. While the first
 * request is open on any replica, the others wait for it. When the policies have changed since, `call` receives the recorded answer, so
 * that the current policies judge it.
 */
export async function callOnce(
  incoming: KeyedCall,
  caller: Caller,
  call: (caller: Caller, recorded?: RecordedAnswer) => Promise<void>,
  parts: IdempotencyParts,
): Promise<void> {
  const { body, credential, headers, principal, url } = incoming
  const idempotencyKey = headers[idempotencyHeader]
  if (typeof idempotencyKey !== 'string' || !printable.test(idempotencyKey))
    throw invalidField(idempotencyHeader, 'must have 1 to 255 printable characters of ASCII')
  const entitlements = await parts.entitlementsOf(principal)
  if (entitlements === null) throw unauthorized()
  if (entitlements.user?.suspended === true) throw userSuspended()
  // A missing body is refused by the normal steps.
  if (!Buffer.isBuffer(body)) return await call(caller)

  const { tenantId, keyId, userId } = scopeIdsOf(entitlements)
  const id: IdempotentCallId = {
    tenantId,
    keyId,
    keyHash: createHash('sha256').update(idempotencyKey).digest(),
  }
  const keysOf = (salt: Buffer) => deriveAnswerKeys(credential, idempotencyKey, salt)
  const fingerprintWith = (keys: AnswerKeys) =>
    fingerprintOf({ url, headers, body }, keys, parts.yieldToEventLoop)

  const policies = await policiesOf(entitlements, parts)
  const salt = randomBytes(16)
  const keys = keysOf(salt)
  const newCall = { ...id, requestId: incoming.id, userId, salt, fingerprint: await fingerprintWith(keys) }
  const deadlineMs = parts.now() + maxWaitMs
  for (;;) {
    // Subscribed before the lookup, so that a change in between is not missed.
    const change = parts.idempotentCalls.nextChange(tenantId)
    try {
      if (await orUnavailable(parts.idempotentCalls.take(newCall)))
        return await callAndKeep(incoming, caller, call, { ...newCall, policies }, keys, parts)
      const stored = await orUnavailable(parts.idempotentCalls.find(id))
      // The stored call was just released or has expired.
      if (stored === undefined) continue
      const storedKeys = keysOf(stored.salt)
      if (!timingSafeEqual(stored.fingerprint, await fingerprintWith(storedKeys)))
        throw conflict('The Idempotency-Key was used for another request in the last 24 hours')
      const answer = readAnswer(stored, storedKeys)
      if (answer !== null) {
        parts.onReplayed()
        if (isOurRefusal(answer) || answer.policies === (await policiesOf(entitlements, parts)))
          return replay(answer, caller)
        caller.addHeaders({ 'idempotent-replayed': 'true' })
        return await call(caller, answer)
      }
      if (parts.now() >= deadlineMs) throw stillCalling()
      await waitFor(change.happened, change.stop, caller, parts.shutdown)
    } finally {
      change.stop()
    }
    if (caller.isGone()) return caller.abandon()
    if (parts.shutdown.fired()) throw serviceStopping()
  }
}

async function policiesOf(entitlements: Entitlements, { policySets }: IdempotencyParts): Promise<string> {
  const policySet = await policySets.current(entitlements.tenantId)
  const { all } = policySet.selectFor(scopeIdsOf(entitlements))
  return all.map(({ reference }) => reference).join(' ')
}

/** True for an answer that policies blocked. It stays blocked. A provider's own 403 is never recorded. */
const isOurRefusal = ({ status, isStream }: RecordedAnswer): boolean => !isStream && status === 403

/** Returns the recorded answer, or null while the first request is open. */
function readAnswer(
  { state, sealed, isAbandoned }: StoredIdempotentCall,
  keys: AnswerKeys,
): RecordedAnswer | null {
  if (isAbandoned)
    throw conflict(
      'The first request with this Idempotency-Key was interrupted: it may have reached the provider, and its answer is lost. Send it again with another key',
    )
  if (state === 'not_kept')
    throw conflict(
      `The request with this Idempotency-Key was answered, but the answer is not stored: it was larger than ${maxAnswerBytes / 1024 / 1024} MiB, the storage of the key was full, or its user's data were erased. Send it again with another key`,
    )
  return sealed && decodeAnswer(keys.open(sealed))
}

const stillCalling = () =>
  new ApiError('conflict', 'The first request with this Idempotency-Key is still open; try again shortly', {
    retry_after: retryAfterSeconds,
  })

async function callAndKeep(
  { id, endpoint }: KeyedCall,
  caller: Caller,
  call: (caller: Caller) => Promise<void>,
  { policies, ...newCall }: IdempotentCallId & { requestId: string; policies: string },
  keys: AnswerKeys,
  { idempotentCalls, recordingMemory }: IdempotencyParts,
): Promise<void> {
  const recorder = new RecordingCaller(caller, {
    headers: { 'x-tallystick-request-id': id },
    renderError: (error) => endpoint.errorBody(error.toBody()),
    maxBytes: maxAnswerBytes,
    memory: recordingMemory,
    hangUpGraceMs,
  })
  try {
    await call(recorder)
  } finally {
    const answer = recorder.answer()
    const end =
      answer === null
        ? 'release'
        : answer === 'not kept'
          ? answer
          : { sealed: keys.seal(encodeAnswer(withoutLimits({ ...answer, policies }))) }
    idempotentCalls.end({ ...newCall, end })
    recorder.close()
  }
}

/** Removes rate limit headers, which would be outdated in a replay. */
const withoutLimits = ({ headers, ...answer }: RecordedAnswer): RecordedAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-ratelimit-'))),
})

function replay({ status, headers, isStream, body }: RecordedAnswer, caller: Caller): void {
  const shown = { ...headers, 'idempotent-replayed': 'true' }
  if (isStream) caller.openStream(shown).end(body)
  else caller.send(status, shown, body)
}

async function waitFor(
  happened: Promise<void>,
  stop: () => void,
  caller: Caller,
  shutdown: ShutdownSignal,
): Promise<void> {
  const stopListening = caller.onGone(stop)
  shutdown.add(stop)
  await happened
  stopListening()
  shutdown.remove(stop)
}

const orUnavailable = <T>(lookup: Promise<T>): Promise<T> =>
  lookup.catch((cause) => {
    if (cause instanceof ApiError) throw cause
    throw databaseUnavailable(
      'The Idempotency-Key cannot be looked up at the moment; nothing was forwarded',
      cause,
    )
  })

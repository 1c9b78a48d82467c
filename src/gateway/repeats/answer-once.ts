import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  ApiError,
  conflict,
  databaseUnavailable,
  invalidField,
  serviceStopping,
  unauthorized,
} from '../../errors.js'
import type { ShutdownSignal } from '../../governed/index.js'
import { gatewayCredentialOf, type Principal, userSuspended } from '../../http/index.js'
import { type AnswerKeys, deriveAnswerKeys } from '../../modules/idempotency/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import type { PolicySets } from '../../modules/policies/index.js'
import type { Dialect } from '../../providers/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { IncomingCall } from '../call.js'
import type { Caller } from '../caller.js'
import type { Claims } from './claims.js'
import { fingerprintOf } from './fingerprint.js'
import { decodeAnswer, encodeAnswer, type RecordedAnswer } from './recorded-answer.js'
import { RecordingCaller, type RecordingRoom } from './recording-caller.js'
import type { ClaimedCall, RepeatId } from './store.js'

export interface RepeatParts {
  claims: Claims
  recordingRoom: RecordingRoom
  waitForTurn: WaitForTurn
  shutdown: ShutdownSignal
  policySets: Pick<PolicySets, 'current'>
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  /** An earlier answer was sent again. */
  onReplayed(): void
  /** Milliseconds that only grow. */
  now(): number
}

export interface KeyedCall extends IncomingCall {
  dialect: Dialect
}

export const idempotencyHeader = 'idempotency-key'

const printable = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/
const maxAnswerBytes = 4 * 1024 * 1024
/** A request that waits longer than this for its twin is told to come back. */
const maxWaitMs = 120_000
const retryAfterSeconds = 5
const hangUpGraceMs = 5_000

/**
 * Makes a call once for each Idempotency-Key of a virtual key. Within 24 hours the same request is sent the same answer; while the first
 * is under way, on whatever replica, the others wait for it. `call` is given the caller to answer, and the answer to give again where
 * other policies are in force by now: they judge it.
 */
export async function answerOnce(
  incoming: KeyedCall,
  caller: Caller,
  call: (caller: Caller, recorded?: RecordedAnswer) => Promise<void>,
  parts: RepeatParts,
): Promise<void> {
  const { body, headers, principal, url } = incoming
  const idempotencyKey = headers[idempotencyHeader]
  if (typeof idempotencyKey !== 'string' || !printable.test(idempotencyKey))
    throw invalidField(idempotencyHeader, 'must have 1 to 255 printable characters of ASCII')
  const entitlements = await parts.entitlementsOf(principal)
  const credential = gatewayCredentialOf(headers)
  if (entitlements === null || credential === null) throw unauthorized()
  if (entitlements.user?.suspended === true) throw userSuspended()
  // What is no body is refused as ever.
  if (!Buffer.isBuffer(body)) return await call(caller)

  const { tenantId, keyId, userId } = scopeIdsOf(entitlements)
  const id: RepeatId = { tenantId, keyId, keyHash: createHash('sha256').update(idempotencyKey).digest() }
  const keysOf = (salt: Buffer) => deriveAnswerKeys(credential, idempotencyKey, salt)
  const fingerprintWith = (keys: AnswerKeys) => fingerprintOf({ url, headers, body }, keys, parts.waitForTurn)

  const policies = await policiesOf(entitlements, parts)
  const salt = randomBytes(16)
  const keys = keysOf(salt)
  const claim = { ...id, requestId: incoming.id, userId, salt, fingerprint: await fingerprintWith(keys) }
  const deadlineMs = parts.now() + maxWaitMs
  for (;;) {
    // Before the look: what is announced in between is not missed.
    const change = parts.claims.nextChange(tenantId)
    try {
      if (await orUnavailable(parts.claims.take(claim)))
        return await callAndKeep(incoming, caller, call, { ...claim, policies }, keys, parts)
      const claimed = await orUnavailable(parts.claims.find(id))
      // It has just been let go, or is too old.
      if (claimed === undefined) continue
      const known = keysOf(claimed.salt)
      if (!timingSafeEqual(claimed.fingerprint, await fingerprintWith(known)))
        throw conflict('The Idempotency-Key was used for another request in the last 24 hours')
      const answer = readAnswer(claimed, known)
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

async function policiesOf(entitlements: Entitlements, { policySets }: RepeatParts): Promise<string> {
  const policySet = await policySets.current(entitlements.tenantId)
  const { all } = policySet.selectFor(scopeIdsOf(entitlements))
  return all.map(({ reference }) => reference).join(' ')
}

/** That policies blocked an answer stays so. A provider's own 403 is not kept. */
const isOurRefusal = ({ status, isStream }: RecordedAnswer): boolean => !isStream && status === 403

/** Null while the first is under way. */
function readAnswer({ state, sealed, isAbandoned }: ClaimedCall, keys: AnswerKeys): RecordedAnswer | null {
  if (isAbandoned)
    throw conflict(
      'The first request with this Idempotency-Key was interrupted: it may have reached the provider, and its answer is lost. Send it again with another key',
    )
  if (state === 'not_kept')
    throw conflict(
      `The request with this Idempotency-Key was answered, and the answer is not kept: it was larger than ${maxAnswerBytes / 1024 / 1024} MiB, there was no room for it, or its user's data were erased. Send it again with another key`,
    )
  return sealed && decodeAnswer(keys.open(sealed))
}

const stillCalling = () =>
  new ApiError(
    'conflict',
    'The first request with this Idempotency-Key is still under way; try again shortly',
    {
      retry_after: retryAfterSeconds,
    },
  )

async function callAndKeep(
  { id, dialect }: KeyedCall,
  caller: Caller,
  call: (caller: Caller) => Promise<void>,
  { policies, ...claim }: RepeatId & { requestId: string; policies: string },
  keys: AnswerKeys,
  { claims, recordingRoom }: RepeatParts,
): Promise<void> {
  const recorder = new RecordingCaller(caller, {
    headers: { 'x-tallystick-request-id': id },
    renderError: (error) => dialect.errorBody(error.toBody()),
    maxBytes: maxAnswerBytes,
    room: recordingRoom,
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
    claims.end({ ...claim, end })
    recorder.close()
  }
}

/** What was left of a minute that is long over says nothing. */
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

const orUnavailable = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((cause) => {
    if (cause instanceof ApiError) throw cause
    throw databaseUnavailable(
      'The Idempotency-Key cannot be looked up at the moment; nothing was forwarded',
      cause,
    )
  })

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Db, inTransaction } from '../../db/index.js'
import { credentialOf, principalOf } from '../../http/index.js'
import { conflict } from '../../shared/errors.js'
import { identifyActor } from '../audit/index.js'
import { oneAtATime } from './one-at-a-time.js'
import { type AnswerKeys, deriveAnswerKeys } from './sealed-answer.js'
import { type AnswerId, claimAnswer, findAnswer, type StoredAnswer, storeAnswer } from './store.js'

/**
 * Runs a request once for each Idempotency-Key of the caller: within 24 hours the same request gets the same answer
 * without a second effect, and another request under the same key is a 409. Without the header it simply runs.
 *
 * The answer is stored in the transaction of the effect, so that a crash leaves both or neither. Failures are not
 * stored and can be retried.
 *
 * `act` must do everything through the `db` that it is given, because another connection could wait for this very
 * transaction.
 */
export async function answerOnce<Answer>(
  db: Db,
  request: FastifyRequest,
  act: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  return await prepareAndAnswerOnce(db, request, () => act)
}

/**
 * `prepare` does what needs no transaction and should not hold one, such as resolving a name, and returns the
 * function that runs in it.
 */
export async function prepareAndAnswerOnce<Answer>(
  db: Db,
  request: FastifyRequest,
  prepare: () => Act<Answer> | Promise<Act<Answer>>,
): Promise<Answer> {
  const idempotencyKey = request.headers['idempotency-key']
  if (request.routeOptions.config.idempotent !== true)
    throw new Error(`${request.routeOptions.url} does not declare that it is idempotent`)
  if (typeof idempotencyKey !== 'string') {
    const act = await prepare()
    return await act(db)
  }

  const credential = credentialOf(request)
  const principal = principalOf(request)
  const id: AnswerId = {
    tenantId: principal.tenantId,
    caller: identifyActor(principal).id,
    keyHash: createHash('sha256').update(idempotencyKey).digest(),
  }
  const keysOf = (salt: Buffer) => deriveAnswerKeys(credential, idempotencyKey, salt)
  const asked = describeRequest(request)

  return await oneAtATime(db, `${id.tenantId} ${id.caller} ${id.keyHash.toString('hex')}`, async () => {
    const known = await findAnswer(db, id)
    if (known) return readAnswer<Answer>(known, keysOf(known.salt), asked)
    const act = await prepare()
    return await inTransaction(db, async (tx) => {
      const salt = randomBytes(16)
      const keys = keysOf(salt)
      if (!(await claimAnswer(tx, id, { salt, fingerprint: fingerprintOf(asked, keys) }))) {
        // Another replica was faster.
        const made = await findAnswer(tx, id)
        if (!made) throw conflict('The Idempotency-Key expires at this moment; send the request again')
        return readAnswer<Answer>(made, keysOf(made.salt), asked)
      }
      const answer = await act(tx)
      await storeAnswer(tx, id, keys.seal(JSON.stringify(answer)))
      return answer
    })
  })
}

type Act<Answer> = (db: Db) => Promise<Answer>

function readAnswer<Answer>(stored: StoredAnswer, keys: AnswerKeys, asked: string): Answer {
  if (!timingSafeEqual(stored.fingerprint, fingerprintOf(asked, keys)))
    throw conflict('The Idempotency-Key was used for another request in the last 24 hours')
  return JSON.parse(keys.open(stored.sealed).toString())
}

const fingerprintOf = (asked: string, keys: AnswerKeys): Buffer =>
  keys.startFingerprint().update(asked).digest()

/** Requests are equal when they differ only in the order of members or in white space. */
const describeRequest = ({ method, url, body }: FastifyRequest): string =>
  `${method} ${url}\n${JSON.stringify(body ?? null, (_, value: unknown) => (isObject(value) ? sorted(value) : value))}`

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

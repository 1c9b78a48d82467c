import { createHmac } from 'node:crypto'
import { type Batcher, createBatcher, type Db, inTransaction } from '../../db/index.js'
import { type SealedLocation, type Secrets, undecryptable } from '../../secrets/index.js'
import { createRequestKeys } from './request-keys.js'
import { findSealed, insertAnswers, type NewAnswer } from './store.js'

/** A provider's answer, as it was received. */
export interface StoredAnswer {
  contentType: string
  body: Buffer
}

/** The response cache. Answers are stored sealed. */
export interface CachedAnswers {
  /** Returns the cache key of a request: equal for equal descriptions, and only within the tenant. */
  hash(tenantId: string, description: string): Promise<Buffer>
  /** Returns null when there is no cached response, or none that can be decrypted. */
  find(wanted: { tenantId: string; keyHash: Buffer; ttlSeconds: number }): Promise<StoredAnswer | null>
  /** Never waits and never fails: a response that does not fit into the queue is not stored. */
  keep(answer: UnsealedAnswer): void
  /** The number of responses waiting to be stored. */
  queued(): number
  close(): Promise<void>
}

export interface CachedAnswersOptions {
  db: Db
  secrets: Secrets
  onError(error: unknown): void
  /** The maximum for one tenant. */
  maxAnswers?: number
}

/** The largest response that is cached. */
export const maxAnswerBytes = 1024 * 1024
const defaultMaxAnswers = 5_000
const maxQueuedBytes = 16 * 1024 * 1024
// A tenant whose responses arrive faster than they are stored must not fill the queue for others.
const maxQueuedBytesOfTenant = maxQueuedBytes / 4

export function createCachedAnswers(options: CachedAnswersOptions): CachedAnswers {
  const { db, secrets, onError, maxAnswers = defaultMaxAnswers } = options
  const keyOf = createRequestKeys({ db, secrets })
  // Bounded: tenants with answers to store, 16 MiB in all.
  const queues = new Map<string, TenantQueue>()
  let queuedBytes = 0

  /**
   * Each tenant with responses to store has its own queue, so that each is stored at its own pace, a group in one
   * transaction.
   */
  function queueOf(tenantId: string): TenantQueue {
    const known = queues.get(tenantId)
    if (known) return known
    const queue: TenantQueue = {
      answers: 0,
      bytes: 0,
      batcher: createBatcher({ write: (group) => store(queue, group) }),
    }
    queues.set(tenantId, queue)
    return queue
  }

  async function store(queue: TenantQueue, group: readonly UnsealedAnswer[]): Promise<void> {
    try {
      const sealed = await Promise.all(
        group.map(async (answer) => ({
          ...answer,
          sealed: await secrets.seal(locationOf(answer), encode(answer)),
        })),
      )
      await inTransaction(db, (tx) => insertAnswers(tx, sealed, maxAnswers))
    } catch (error) {
      onError(error)
    }
    const bytes = group.reduce((sum, { body }) => sum + body.length, 0)
    queuedBytes -= bytes
    queue.bytes -= bytes
    queue.answers -= group.length
    const [first] = group
    if (first && queue.answers === 0) queues.delete(first.tenantId)
  }

  return {
    hash: async (tenantId, description) =>
      createHmac('sha256', await keyOf(tenantId))
        .update(description)
        .digest(),
    async find(wanted) {
      const sealed = await findSealed(db, wanted)
      const opened = sealed && (await secrets.open(locationOf(wanted), sealed))
      return opened === null || opened === undecryptable ? null : decode(opened)
    },
    keep(answer) {
      const bytes = answer.body.length
      const ofTenant = queues.get(answer.tenantId)?.bytes ?? 0
      const isFull = ofTenant + bytes > maxQueuedBytesOfTenant || queuedBytes + bytes > maxQueuedBytes
      if (bytes > maxAnswerBytes || isFull) return
      const queue = queueOf(answer.tenantId)
      queuedBytes += bytes
      queue.bytes += bytes
      queue.answers += 1
      queue.batcher.add(answer)
    },
    queued: () => [...queues.values()].reduce((sum, { batcher }) => sum + batcher.size(), 0),
    async close() {
      await Promise.all([...queues.values()].map(({ batcher }) => batcher.close()))
    },
  }
}

type UnsealedAnswer = StoredAnswer & Omit<NewAnswer, 'sealed'>

interface TenantQueue {
  /** Waiting or being stored. */
  answers: number
  bytes: number
  batcher: Batcher<UnsealedAnswer>
}

const locationOf = ({ tenantId, keyHash }: Pick<NewAnswer, 'tenantId' | 'keyHash'>): SealedLocation => ({
  purpose: 'cached_answers.answer',
  tenantId,
  rowId: keyHash.toString('hex'),
})

const newline = '\n'

/** The content type on one line, then the bytes of the body. */
const encode = ({ contentType, body }: StoredAnswer): Buffer =>
  Buffer.concat([Buffer.from(contentType + newline, 'latin1'), body])

function decode(encoded: Buffer): StoredAnswer {
  const end = encoded.indexOf(newline)
  return { contentType: encoded.toString('latin1', 0, end), body: encoded.subarray(end + 1) }
}

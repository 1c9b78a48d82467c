import { createHmac } from 'node:crypto'
import { createBatcher, type Db, inTransaction } from '../../db/index.js'
import { type SealedPlace, type Secrets, undecryptable } from '../../secrets/index.js'
import { createRequestKeys } from './request-keys.js'
import { findSealed, insertAnswer, type NewAnswer } from './store.js'

/** A provider's answer, as it came. */
export interface StoredAnswer {
  contentType: string
  body: Buffer
}

/** Answers that may be given again, sealed. */
export interface CachedAnswers {
  /** Which answers a request has in common with others: the same for the same description, and only within the tenant. */
  hash(tenantId: string, description: string): Promise<Buffer>
  /** Null where there is none, or none that can be opened. */
  find(wanted: { tenantId: string; keyHash: Buffer; ttlSeconds: number }): Promise<StoredAnswer | null>
  /** Never waits, and never fails: what there is no room for is not kept. */
  keep(answer: StoredAnswer & Omit<NewAnswer, 'sealed'>): void
  /** How many wait to be stored. */
  queued(): number
  close(): Promise<void>
}

export interface CachedAnswersOptions {
  db: Db
  secrets: Secrets
  onError(error: unknown): void
  /** Of one tenant. */
  maxAnswers?: number
}

/** The largest answer that is kept. */
export const maxAnswerBytes = 1024 * 1024
const defaultMaxAnswers = 5_000
const maxQueuedBytes = 16 * 1024 * 1024

export function createCachedAnswers(options: CachedAnswersOptions): CachedAnswers {
  const { db, secrets, onError, maxAnswers = defaultMaxAnswers } = options
  const keyOf = createRequestKeys({ db, secrets })
  let queuedBytes = 0

  async function store(answer: StoredAnswer & Omit<NewAnswer, 'sealed'>): Promise<void> {
    const sealed = await secrets.seal(placeOf(answer), encode(answer))
    await inTransaction(db, (tx) => insertAnswer(tx, { ...answer, sealed }, maxAnswers))
  }

  const batcher = createBatcher<StoredAnswer & Omit<NewAnswer, 'sealed'>>({
    async write(group) {
      for (const answer of group) {
        await store(answer).catch(onError)
        queuedBytes -= answer.body.length
      }
    },
  })

  return {
    hash: async (tenantId, description) =>
      createHmac('sha256', await keyOf(tenantId))
        .update(description)
        .digest(),
    async find(wanted) {
      const sealed = await findSealed(db, wanted)
      const opened = sealed && (await secrets.open(placeOf(wanted), sealed))
      return opened === null || opened === undecryptable ? null : decode(opened)
    },
    keep(answer) {
      const bytes = answer.body.length
      if (bytes > maxAnswerBytes || queuedBytes + bytes > maxQueuedBytes) return
      queuedBytes += bytes
      batcher.add(answer)
    },
    queued: batcher.size,
    close: batcher.close,
  }
}

const placeOf = ({ tenantId, keyHash }: Pick<NewAnswer, 'tenantId' | 'keyHash'>): SealedPlace => ({
  purpose: 'cached_answers.answer',
  tenantId,
  rowId: keyHash.toString('hex'),
})

const newline = '\n'

/** The type as a line, then the bytes of the body. */
const encode = ({ contentType, body }: StoredAnswer): Buffer =>
  Buffer.concat([Buffer.from(contentType + newline, 'latin1'), body])

function decode(encoded: Buffer): StoredAnswer {
  const end = encoded.indexOf(newline)
  return { contentType: encoded.toString('latin1', 0, end), body: encoded.subarray(end + 1) }
}

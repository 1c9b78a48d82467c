import { type Db, inTransaction } from '../../db/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { CapturedAttempt } from './captured.js'
import { createPartition, partitionOf } from './partitions.js'
import { sealContent } from './sealed-content.js'
import { insertContent, type SealedAttempt } from './store.js'

/** Seals and stores the content of calls immediately: for code that has all of it and whose callers do not wait. */
export async function storeContent(
  { db, secrets }: { db: Db; secrets: Secrets },
  attempts: readonly CapturedAttempt[],
): Promise<void> {
  const partitions = new Map(
    attempts.map(({ capturedAt }) => partitionOf(capturedAt)).map((each) => [each.name, each]),
  )
  for (const partition of partitions.values()) await createPartition(db, partition)
  const sealed: SealedAttempt[] = []
  for (const attempt of attempts) sealed.push({ attempt, sealed: await sealContent(attempt, secrets) })
  if (sealed.length > 0) await inTransaction(db, (tx) => insertContent(tx, sealed))
}

import { type Db, inTransaction } from '../../../db/index.js'
import { invalidField, notFound } from '../../../shared/errors.js'
import { type Actor, recordChange } from '../../audit/index.js'
import { presentVersion } from '../present.js'
import { type AppendVersion, maxContentBytes, type PromptVersion } from '../schema.js'
import { insertVersion } from '../store.js'

/** `db` may be a transaction, which is then used. */
export async function appendVersion(
  db: Db,
  actor: Actor,
  { promptId, content }: AppendVersion,
): Promise<PromptVersion> {
  refuseLargeContent(content)
  return await inTransaction(db, async (tx) => {
    const row = await insertVersion(tx, actor.tenantId, promptId, content)
    if (!row) throw notFound('prompt')
    const appended = presentVersion(row)
    // The audit log leaves out the text: a version never changes and is never deleted.
    const { content: _, ...withoutContent } = appended
    await recordChange(tx, actor, {
      action: 'prompt_version.create',
      subjectId: appended.id,
      before: null,
      after: withoutContent,
    })
    return appended
  })
}

export function refuseLargeContent(content: string): void {
  const bytes = Buffer.byteLength(content)
  if (bytes > maxContentBytes) {
    throw invalidField('content', `must have at most ${maxContentBytes} bytes as UTF-8; it has ${bytes}`)
  }
}

import { type Db, inTransaction } from '../../db/index.js'
import { invalidField, notFound } from '../../errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { type AppendVersion, maxContentBytes, type PromptVersion } from './schema.js'
import { insertVersion } from './store.js'

/** Appends in the caller's transaction, or in one of its own. */
export async function appendVersion(
  db: Db,
  actor: Actor,
  { promptId, content }: AppendVersion,
): Promise<PromptVersion> {
  refuseLargeContent(content)
  return await inTransaction(db, async (tx) => {
    const appended = await insertVersion(tx, actor.tenantId, promptId, content)
    if (!appended) throw notFound('prompt')
    // The trail names the version and leaves the text out: the row itself never changes and is never removed.
    const { content: _, ...named } = appended
    await recordChange(tx, actor, {
      action: 'prompt_version.create',
      subjectId: appended.id,
      before: null,
      after: named,
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

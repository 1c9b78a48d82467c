import { type Db, inTransaction, orNameTaken } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { appendVersion, refuseLargeContent } from './append-version.js'
import type { CreatePrompt, Prompt, UpdatePrompt } from './schema.js'
import { findPrompt, insertPrompt, lockPrompt, type Tx, updatePrompt } from './store.js'

/** A prompt and, where content is given, its first version: both or none. */
export async function createPrompt(db: Db, actor: Actor, input: CreatePrompt): Promise<Prompt> {
  const { name, description = '', content } = input
  if (content !== undefined) refuseLargeContent(content)
  return await inTransaction(db, async (tx) => {
    const id = await orNameTaken('prompt', name, () =>
      insertPrompt(tx, actor.tenantId, { name, description }),
    )
    const prompt = await readPrompt(tx, actor.tenantId, id)
    await recordChange(tx, actor, { action: 'prompt.create', subjectId: id, before: null, after: prompt })
    if (content !== undefined) await appendVersion(tx, actor, { promptId: id, content })
    return prompt
  })
}

export async function changePrompt(db: Db, actor: Actor, id: string, input: UpdatePrompt): Promise<Prompt> {
  return await editPrompt(db, actor, id, 'prompt.update', async (tx, before) => {
    await orNameTaken('prompt', input.name ?? before.name, () => updatePrompt(tx, actor.tenantId, id, input))
  })
}

/** Deleting twice is deleting once: the first moment stays. */
export async function deletePrompt(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const state = await lockPrompt(tx, actor.tenantId, id)
    if (state === 'unknown') throw notFound('prompt')
    if (state === 'deleted') return
    const before = await readPrompt(tx, actor.tenantId, id)
    await updatePrompt(tx, actor.tenantId, id, { deleted_at: new Date() })
    await recordChange(tx, actor, { action: 'prompt.delete', subjectId: id, before, after: null })
  })
}

/** A change to a prompt or its labels, with the record before and after it written down. */
export async function editPrompt(
  db: Db,
  actor: Actor,
  id: string,
  action: `prompt.${string}`,
  edit: (tx: Tx, before: Prompt) => Promise<void>,
): Promise<Prompt> {
  return await inTransaction(db, async (tx) => {
    if ((await lockPrompt(tx, actor.tenantId, id)) !== 'present') throw notFound('prompt')
    const before = await readPrompt(tx, actor.tenantId, id)
    await edit(tx, before)
    const after = await readPrompt(tx, actor.tenantId, id)
    await recordChange(tx, actor, { action, subjectId: id, before, after })
    return after
  })
}

export async function readPrompt(db: Db, tenantId: string, id: string): Promise<Prompt> {
  const prompt = await findPrompt(db, tenantId, id)
  if (!prompt) throw notFound('prompt')
  return prompt
}

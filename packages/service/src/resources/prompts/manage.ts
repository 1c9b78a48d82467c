import { type Db, inTransaction, orNameTaken, type Tx } from '../../db/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { type Dependent, type InUse, refuseInUse } from '../scopes/index.js'
import { presentPrompt } from './present.js'
import type { CreatePrompt, Prompt, UpdatePrompt } from './schema.js'
import { clearLabel, findPrompt, insertPrompt, lockPrompt, updatePromptRow } from './store.js'
import { appendVersion, refuseLargeContent } from './versions/manage.js'

/** A prompt and, if content is given, its first version, in one transaction. */
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

export async function updatePrompt(db: Db, actor: Actor, id: string, input: UpdatePrompt): Promise<Prompt> {
  return await editPrompt(db, actor, id, 'prompt.update', async (tx, before) => {
    await orNameTaken('prompt', input.name ?? before.name, () =>
      updatePromptRow(tx, actor.tenantId, id, input),
    )
  })
}

/**
 * Idempotent: the time of the first deletion is kept. Callers select a prompt by its labels, so a prompt with
 * labels is in use. With `cascade` each label is deleted first.
 */
export async function deletePrompt(
  db: Db,
  actor: Actor,
  id: string,
  { cascade }: { cascade: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const state = await lockPrompt(tx, actor.tenantId, id)
    if (state === 'unknown') throw notFound('prompt')
    if (state === 'deleted') return
    const { name, labels } = await readPrompt(tx, actor.tenantId, id)
    if (!cascade) refuseInUse(labelsOf(labels), inUse(name))
    for (const label of Object.keys(labels)) {
      await editPrompt(tx, actor, id, 'prompt.delete_label', async (tx) => {
        await clearLabel(tx, actor.tenantId, id, label)
      })
    }
    const before = await readPrompt(tx, actor.tenantId, id)
    await updatePromptRow(tx, actor.tenantId, id, { deleted_at: new Date() })
    await recordChange(tx, actor, { action: 'prompt.delete', subjectId: id, before, after: null })
  })
}

const labelsOf = (labels: Prompt['labels']): Dependent[] =>
  Object.keys(labels).map((label) => ({ type: 'label', id: label, name: label }))

const inUse = (name: string): InUse => ({
  title: `The prompt "${name}"`,
  cascade: 'deletes its labels with it',
})

/** Changes a prompt or its labels, and records the prompt before and after. */
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
  const row = await findPrompt(db, tenantId, id)
  if (!row) throw notFound('prompt')
  return presentPrompt(row)
}

import type { Db } from '../../../db/index.js'
import { notFound } from '../../../shared/errors.js'
import type { Actor } from '../../audit/index.js'
import { editPrompt } from '../manage.js'
import type { SetLabel } from '../schema.js'
import { clearLabel, hasVersion, upsertLabel } from '../store.js'
import { refuseReserved } from './label.js'

export async function setLabel(
  db: Db,
  actor: Actor,
  { promptId, label, versionId }: SetLabel,
): Promise<void> {
  refuseReserved(label)
  await editPrompt(db, actor, promptId, 'prompt.set_label', async (tx) => {
    if (!(await hasVersion(tx, actor.tenantId, promptId, versionId))) throw notFound('version of this prompt')
    await upsertLabel(tx, actor.tenantId, promptId, label, versionId)
  })
}

export async function deleteLabel(db: Db, actor: Actor, promptId: string, label: string): Promise<void> {
  refuseReserved(label)
  await editPrompt(db, actor, promptId, 'prompt.delete_label', async (tx) => {
    if (!(await clearLabel(tx, actor.tenantId, promptId, label))) throw notFound('label of this prompt')
  })
}

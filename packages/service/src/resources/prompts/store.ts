import { type Selectable, sql } from 'kysely'
import { type Db, newId, type Tables, type Tx } from '../../db/index.js'
import type { PageRequest } from '../../http/index.js'
import type { Prompt } from './schema.js'

export type PromptRow = Pick<Prompt, 'id' | 'name' | 'description' | 'labels'> & { created_at: Date }
export type VersionRow = Selectable<Tables['prompt_versions']>

const labelMap = sql<Prompt['labels']>`coalesce((
  select json_object_agg(label, json_build_object('versionId', version_id, 'version', version) order by label)
  from prompt_labels join prompt_versions on prompt_versions.id = version_id
  where prompt_labels.prompt_id = prompts.id), '{}')`

function selectPrompts(db: Db, tenantId: string) {
  return db
    .selectFrom('prompts')
    .select(['id', 'name', 'description', 'created_at', labelMap.as('labels')])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
}

/** Newest first: all of them without a page. */
export async function listPrompts(db: Db, tenantId: string, page: PageRequest | null): Promise<PromptRow[]> {
  let query = selectPrompts(db, tenantId).orderBy('id', 'desc')
  if (page) query = query.limit(page.limit)
  if (page?.after) query = query.where('id', '<', page.after)
  return await query.execute()
}

export async function findPrompt(db: Db, tenantId: string, id: string): Promise<PromptRow | undefined> {
  return await selectPrompts(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** Serialises writes to a prompt, its versions and its labels. */
export async function lockPrompt(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<'present' | 'deleted' | 'unknown'> {
  const row = await tx
    .selectFrom('prompts')
    .select('deleted_at')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return 'unknown'
  return row.deleted_at ? 'deleted' : 'present'
}

export async function insertPrompt(
  tx: Tx,
  tenantId: string,
  fields: { name: string; description: string },
): Promise<string> {
  const id = newId('prompt')
  await tx
    .insertInto('prompts')
    .values({ id, tenant_id: tenantId, ...fields, deleted_at: null })
    .execute()
  return id
}

export async function updatePromptRow(
  tx: Tx,
  tenantId: string,
  id: string,
  fields: { name?: string; description?: string; deleted_at?: Date },
): Promise<void> {
  await tx.updateTable('prompts').set(fields).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/**
 * Appends a version with the next number; undefined if there is no such prompt. The update locks the prompt's row until the
 * transaction ends, so that concurrent appends get consecutive numbers, and a rollback leaves no gap.
 */
export async function insertVersion(
  tx: Tx,
  tenantId: string,
  promptId: string,
  content: string,
): Promise<VersionRow | undefined> {
  const prompt = await tx
    .updateTable('prompts')
    .set((eb) => ({ versions: eb('versions', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', promptId)
    .where('deleted_at', 'is', null)
    .returning('versions')
    .executeTakeFirst()
  if (!prompt) return undefined
  return await tx
    .insertInto('prompt_versions')
    .values({
      id: newId('ver'),
      tenant_id: tenantId,
      prompt_id: promptId,
      version: prompt.versions,
      content,
      // now() is when the transaction began, perhaps before it waited for the lock: times must grow with the numbers.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Newest first; scans the unique index on (prompt_id, version) backwards. */
export async function listVersions(
  db: Db,
  tenantId: string,
  promptId: string,
  page: { before: number | null; limit: number },
): Promise<VersionRow[]> {
  let query = db
    .selectFrom('prompt_versions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('prompt_id', '=', promptId)
  if (page.before !== null) query = query.where('version', '<', page.before)
  return await query.orderBy('version', 'desc').limit(page.limit).execute()
}

export async function hasVersion(
  tx: Tx,
  tenantId: string,
  promptId: string,
  versionId: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('prompt_versions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('prompt_id', '=', promptId)
    .where('id', '=', versionId)
    .executeTakeFirst()
  return row !== undefined
}

export async function upsertLabel(
  tx: Tx,
  tenantId: string,
  promptId: string,
  label: string,
  versionId: string,
): Promise<void> {
  await tx
    .insertInto('prompt_labels')
    .values({ tenant_id: tenantId, prompt_id: promptId, label, version_id: versionId })
    .onConflict((conflict) =>
      conflict
        .columns(['prompt_id', 'label'])
        .doUpdateSet({ version_id: versionId, updated_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Returns false if the prompt never had the label. Clearing it again succeeds. */
export async function clearLabel(
  tx: Tx,
  tenantId: string,
  promptId: string,
  label: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('prompt_labels')
    .set({ version_id: null, updated_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenantId)
    .where('prompt_id', '=', promptId)
    .where('label', '=', label)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

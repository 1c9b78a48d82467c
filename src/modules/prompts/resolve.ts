import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { latest } from './label.js'
import type { ResolvedLabel } from './schema.js'

/** Which version is meant: the one a label points at, or one by its number. */
export type Choice = { label: string } | { version: number }

export type Missing = 'prompt' | 'version'

type Resolution = { found: ResolvedLabel } | { missing: Missing }

/** One statement, so one moment: a label that moves meanwhile gives the old version or the new, never a mixture. */
export async function resolveVersion(
  db: Db,
  tenantId: string,
  promptId: string,
  choice: Choice,
): Promise<Resolution> {
  const row = await db
    .selectFrom('prompts')
    .leftJoin('prompt_versions', (join) =>
      join.onRef('prompt_versions.prompt_id', '=', 'prompts.id').on(sql<boolean>`${isChosen(choice)}`),
    )
    .select([
      'prompts.id as promptId',
      'prompt_versions.id as versionId',
      'prompt_versions.version',
      'content',
    ])
    .where('prompts.tenant_id', '=', tenantId)
    .where('prompts.id', '=', promptId)
    .where('prompts.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return { missing: 'prompt' }
  const { versionId, version, content } = row
  if (versionId === null || version === null || content === null) return { missing: 'version' }
  return { found: { promptId, versionId, version, content } }
}

function isChosen(choice: Choice) {
  if ('version' in choice) return sql`prompt_versions.version = ${choice.version}`
  if (choice.label === latest) return sql`prompt_versions.version = prompts.versions`
  return sql`prompt_versions.id = (
    select version_id from prompt_labels where prompt_id = prompts.id and label = ${choice.label})`
}

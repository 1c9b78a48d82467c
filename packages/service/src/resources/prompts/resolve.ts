import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { latest } from './labels/label.js'
import type { ResolvedLabel } from './schema.js'

/** A version by its number, or the version of a label. */
export type VersionSelector = { label: string } | { version: number }

export type Missing = 'prompt' | 'version'

type Resolution = { found: ResolvedLabel } | { missing: Missing }

/** One statement and so one snapshot: while a label moves, the result is the old version or the new one, never a mixture. */
export async function resolveVersion(
  db: Db,
  tenantId: string,
  promptId: string,
  selector: VersionSelector,
): Promise<Resolution> {
  const row = await db
    .selectFrom('prompts')
    .leftJoin('prompt_versions', (join) =>
      join.onRef('prompt_versions.prompt_id', '=', 'prompts.id').on(sql<boolean>`${isSelected(selector)}`),
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

function isSelected(selector: VersionSelector) {
  if ('version' in selector) return sql`prompt_versions.version = ${selector.version}`
  if (selector.label === latest) return sql`prompt_versions.version = prompts.versions`
  return sql`prompt_versions.id = (
    select version_id from prompt_labels where prompt_id = prompts.id and label = ${selector.label})`
}

import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { type ApiError, invalidField } from '../../errors.js'
import { latest } from './label.js'
import type { PromptReference } from './reference.js'
import { type Choice, type Missing, resolveVersion } from './resolve.js'
import type { ResolvedLabel } from './schema.js'

/** The text of prompts for the gateway, answered from memory while this replica hears of every change. */
export interface PromptReader {
  /** Throws a 400 that says which part of the reference leads nowhere. */
  resolve(tenantId: string, reference: PromptReference): Promise<ResolvedLabel>
  /** Forgets a tenant's prompts at once, for the replica that made the change itself. */
  forget(tenantId: string): void
}

export function createPromptReader({ db, changes }: { db: Db; changes: Changes }): PromptReader {
  // Versions never change, and an append updates the prompt's own row: these two tables tell everything.
  const cache = createTenantCache<{ tenantId: string; resolved: ResolvedLabel }>(changes, [
    'prompts',
    'prompt_labels',
  ])
  return {
    forget: cache.forget,
    async resolve(tenantId, { id, label = latest, version }) {
      const choice: Choice = version === undefined ? { label } : { version }
      let missing: Missing = 'prompt'
      const kept = await cache.get(JSON.stringify([tenantId, id, choice]), async () => {
        const resolution = await resolveVersion(db, tenantId, id, choice)
        if ('found' in resolution) return { tenantId, resolved: resolution.found }
        missing = resolution.missing
        return null
      })
      if (kept === null) throw explainMissing(missing, id, choice)
      return kept.resolved
    },
  }
}

function explainMissing(missing: Missing, id: string, choice: Choice): ApiError {
  if (missing === 'prompt') return invalidField('prompt.id', `there is no prompt ${id}`)
  if ('version' in choice)
    return invalidField('prompt.version', `the prompt has no version ${choice.version}`)
  if (choice.label === latest) return invalidField('prompt.label', 'the prompt has no version yet')
  return invalidField('prompt.label', `the prompt has no label ${choice.label}`)
}

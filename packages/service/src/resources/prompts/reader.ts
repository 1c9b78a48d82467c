import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { type ApiError, invalidField } from '../../shared/errors.js'
import { latest } from './labels/label.js'
import type { PromptReference } from './reference.js'
import { type Missing, resolveVersion, type VersionSelector } from './resolve.js'
import type { ResolvedLabel } from './schema.js'

/** The text of prompts for the gateway, cached while this replica receives change notifications. */
export interface PromptReader {
  /** Throws a 400 that names the missing part of the reference. */
  resolve(tenantId: string, reference: PromptReference): Promise<ResolvedLabel>
  /** Clears the cache, on the replica that made the change itself. */
  forget(tenantId: string): void
}

export function createPromptReader({ db, changes }: { db: Db; changes: Changes }): PromptReader {
  // prompt_versions is not needed: versions never change, and an append updates the prompt's row.
  const cache = createTenantCache<{ tenantId: string; resolved: ResolvedLabel }>(changes, [
    'prompts',
    'prompt_labels',
  ])
  return {
    forget: cache.forget,
    async resolve(tenantId, { id, label = latest, version }) {
      const selector: VersionSelector = version === undefined ? { label } : { version }
      let missing: Missing = 'prompt'
      const cached = await cache.get(JSON.stringify([tenantId, id, selector]), async () => {
        const resolution = await resolveVersion(db, tenantId, id, selector)
        if ('found' in resolution) return { tenantId, resolved: resolution.found }
        missing = resolution.missing
        return null
      })
      if (cached === null) throw explainMissing(missing, id, selector)
      return cached.resolved
    },
  }
}

function explainMissing(missing: Missing, id: string, selector: VersionSelector): ApiError {
  if (missing === 'prompt') return invalidField('prompt.id', `there is no prompt ${id}`)
  if ('version' in selector)
    return invalidField('prompt.version', `the prompt has no version ${selector.version}`)
  if (selector.label === latest) return invalidField('prompt.label', 'the prompt has no version yet')
  return invalidField('prompt.label', `the prompt has no label ${selector.label}`)
}

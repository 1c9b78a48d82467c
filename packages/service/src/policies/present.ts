import { isKindName, type KindName } from './kinds/index.js'
import type { Policy } from './schema.js'
import type { ServiceSecrets } from './service-secret.js'
import type { PolicyRow } from './store.js'

export function presentPolicy(row: PolicyRow): Policy {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    kind: kindOf(row),
    config: row.config,
    scope: { type: row.scope_type, id: row.scope_id },
    phase: row.phase,
    action: row.action,
    enabled: row.enabled,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Returns a policy as the API shows it. For a kind with a secret, this includes whether the secret can be decrypted. */
export async function presentWithStatus(
  serviceSecrets: Pick<ServiceSecrets, 'statusOf'>,
  row: PolicyRow,
): Promise<Policy> {
  const secretStatus = await serviceSecrets.statusOf(row)
  return { ...presentPolicy(row), ...(secretStatus !== null && { secretStatus }) }
}

/** Returns the kind of a policy. Throws for a kind of a newer release: leaving the policy out would let calls pass unchecked. */
export function kindOf({ id, kind }: { id: string; kind: string }): KindName {
  if (isKindName(kind)) return kind
  throw new Error(`policy ${id} is of the kind ${kind}, which this release does not know`)
}

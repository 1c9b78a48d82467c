import { type Static, Type } from 'typebox'
import type { Tx } from '../../db/index.js'
import { strict } from '../../http/index.js'
import { invalidField } from '../../shared/errors.js'
import type { ScopeType } from '../../shared/spend-account.js'
import { isSessionId, readTagScope } from '../../shared/tags.js'
import { requireScope } from '../scopes/index.js'

const scopeTypes = ['tenant', 'team', 'user', 'key', 'tag', 'session'] as const satisfies ScopeType[]

export const BudgetScopeType = Type.Enum([...scopeTypes])

export const BudgetScopeReference = Type.Object(
  {
    type: BudgetScopeType,
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 192,
        description:
          'The id of what the budget applies to. Omit it for `tenant`. For a tag, send `name=value`, or `name=*` to give each value of the tag its own amount. For a session, `*` gives each session its own amount, such as a limit for every run of an agent',
      }),
    ),
  },
  { ...strict, description: 'Whose calls the budget applies to. Defaults to the whole tenant' },
)

export interface BudgetScope {
  type: ScopeType
  id: string
}

/**
 * Checks that the scope exists. Callers choose tags and sessions freely, so these need not have occurred in a call.
 */
export async function requireBudgetScope(
  tx: Tx,
  tenantId: string,
  scope: Static<typeof BudgetScopeReference> | undefined,
): Promise<BudgetScope> {
  if (scope === undefined) return { type: 'tenant', id: tenantId }
  const { type, id } = scope
  if (type !== 'tag' && type !== 'session')
    return await requireScope(tx, tenantId, { type, ...(id !== undefined && { id }) })
  if (id === undefined) throw invalidField('scope.id', `is required for a scope of type ${type}`)
  if (type === 'tag' && readTagScope(id) === null)
    throw invalidField('scope.id', 'must be a tag such as project=alpha, or project=* for each of its values')
  if (type === 'session' && id !== '*' && !isSessionId(id))
    throw invalidField(
      'scope.id',
      'must be a session of 1 to 128 printable characters, or * for each of them',
    )
  return { type, id }
}

/**
 * Returns the prefix of the ids of scopes that each have the budget's amount; null when there is only one scope.
 */
export function eachScopePrefix({ type, id }: BudgetScope): string | null {
  if (type === 'session') return id === '*' ? '' : null
  if (type === 'tag') return id.endsWith('=*') ? id.slice(0, -1) : null
  return null
}

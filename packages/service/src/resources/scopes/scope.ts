import { type Static, Type } from 'typebox'
import type { Tx } from '../../db/index.js'
import { strict } from '../../http/index.js'
import { invalidField, notFound } from '../../shared/errors.js'
import type { CallerScopeType } from '../../shared/spend-account.js'

/** What a budget or a policy applies to: the whole tenant, or one team, user or key of it. */
export interface Scope {
  type: CallerScopeType
  id: string
}

export const ScopeReference = Type.Object(
  {
    type: Type.Enum(['tenant', 'team', 'user', 'key']),
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The id of the team, user or key. Omit it for `tenant`',
      }),
    ),
  },
  { ...strict, description: 'Whose calls the policy applies to. Defaults to the whole tenant' },
)

/** Throws a 404 unless the team, user or key exists in this tenant. */
export async function requireScope(
  tx: Tx,
  tenantId: string,
  { type, id = type === 'tenant' ? tenantId : undefined }: Static<typeof ScopeReference> = { type: 'tenant' },
): Promise<Scope> {
  if (id === undefined) throw invalidField('scope.id', `is required for a scope of type ${type}`)
  if (!(await exists(tx, tenantId, { type, id }))) throw notFound(type)
  return { type, id }
}

async function exists(tx: Tx, tenantId: string, { type, id }: Scope): Promise<boolean> {
  switch (type) {
    case 'tenant':
      return id === tenantId
    case 'team':
      // Shared lock, as for a user: a deletion lists what is scoped to it, so it must wait for rows being inserted.
      return found(
        tx
          .selectFrom('teams')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .forShare()
          .executeTakeFirst(),
      )
    case 'user':
      return found(
        tx
          .selectFrom('members')
          .select('user_id')
          .where('tenant_id', '=', tenantId)
          .where('user_id', '=', id)
          .where('removed_at', 'is', null)
          .forShare()
          .executeTakeFirst(),
      )
    case 'key':
      return found(
        tx
          .selectFrom('keys')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .executeTakeFirst(),
      )
  }
}

const found = async (row: Promise<object | undefined>): Promise<boolean> => (await row) !== undefined

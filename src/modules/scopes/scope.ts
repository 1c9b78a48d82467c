import type { Transaction } from 'kysely'
import { type Static, Type } from 'typebox'
import type { ScopeType, Tables } from '../../db/index.js'
import { invalidField, notFound } from '../../errors.js'

/** Whom a budget or a policy is for: the whole tenant, or one team, user or key of it. */
export interface Scope {
  type: ScopeType
  id: string
}

export const ScopeReference = Type.Object(
  {
    type: Type.Enum(['tenant', 'team', 'user', 'key']),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Left out for `tenant`' })),
  },
  { additionalProperties: false, description: 'Whom it is for; the whole tenant when left out' },
)

/** Makes sure that the team, user or key is there, in this tenant. */
export async function requireScope(
  tx: Transaction<Tables>,
  tenantId: string,
  { type, id = type === 'tenant' ? tenantId : undefined }: Static<typeof ScopeReference> = { type: 'tenant' },
): Promise<Scope> {
  if (id === undefined) throw invalidField('scope.id', `is required for a scope of type ${type}`)
  if (!(await exists(tx, tenantId, { type, id }))) throw notFound(type)
  return { type, id }
}

async function exists(tx: Transaction<Tables>, tenantId: string, { type, id }: Scope): Promise<boolean> {
  switch (type) {
    case 'tenant':
      return id === tenantId
    case 'team':
      // Shared lock: a team takes what is scoped to it along when it is deleted, so it waits for what is being made.
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

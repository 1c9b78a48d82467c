import type { Transaction } from 'kysely'
import type { Tables } from '../../db/index.js'
import { notFound } from '../../errors.js'

type Tx = Transaction<Tables>

/** Naming a user for the first time makes that member. */
export async function ensureMember(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.insertInto('members')
    .values({ tenant_id: tenantId, user_id: userId, name: null, email: null, team_id: null })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doNothing())
    .execute()
}

export async function requireTeam(tx: Tx, tenantId: string, teamId: string): Promise<void> {
  const team = await tx.selectFrom('teams').select('id').where('tenant_id', '=', tenantId).where('id', '=', teamId)
    .executeTakeFirst()
  if (!team) throw notFound('team')
}

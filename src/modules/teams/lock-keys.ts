import type { Tx } from '../../db/index.js'

/** In the order of their ids, as the update of their last use does: otherwise the two could deadlock. */
export async function lockKeys(
  tx: Tx,
  tenantId: string,
  column: 'user_id' | 'team_id',
  value: string,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('keys')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(column, '=', value)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => row.id)
}

import type { Db } from '../../../db/index.js'
import { listExceptions } from '../../../record/index.js'
import type { Attestation } from './attestation-schema.js'

/** Keeps an attestation as the last one of its period. One that was generated later stays. */
export async function storeLastAttestation(db: Db, attestation: Attestation): Promise<void> {
  const { tenantId, period, generatedAt } = attestation
  await db
    .insertInto('last_attestations')
    .values({
      tenant_id: tenantId,
      period: period.label,
      generated_at: generatedAt,
      attestation: JSON.stringify(attestation),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'period'])
        .doUpdateSet((set) => ({
          generated_at: set.ref('excluded.generated_at'),
          attestation: set.ref('excluded.attestation'),
        }))
        .whereRef('last_attestations.generated_at', '<', 'excluded.generated_at'),
    )
    .execute()
}

/**
 * Returns the last attestation of a period as it was signed. After an exception, such as a restore, that it does not list it is not
 * returned, so that nobody takes it for the state of the record.
 */
export async function findLastAttestation(
  db: Db,
  tenantId: string,
  label: string,
): Promise<Attestation | undefined> {
  const row = await db
    .selectFrom('last_attestations')
    .select('attestation')
    .where('tenant_id', '=', tenantId)
    .where('period', '=', label)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const attestation: Attestation = JSON.parse(row.attestation)
  const listed = new Set(attestation.exceptions.map(({ seq }) => seq))
  const { fromTs } = attestation.period
  const exceptions = await listExceptions(db, tenantId, { fromTs, verified: [] })
  return exceptions.every(({ seq }) => listed.has(seq)) ? attestation : undefined
}

import type { Tx } from '../../../db/index.js'
import { redactAudit } from '../../audit/index.js'
import { eraseRequestTexts } from '../../budgets/index.js'
import { eraseAnswers } from '../../idempotency/index.js'
import { eraseKeyNames } from '../../keys/index.js'
import { forgetNames } from '../../names/index.js'
import { eraseSessionOrigins } from '../../sessions/index.js'
import { eraseMember } from '../../teams/index.js'
import { eraseRequestAlerts } from '../../webhooks/index.js'

/**
 * Removes personal data, and what the person wrote into fields of the management API. Rows, ids, times and amounts
 * stay, because other rows and the record refer to them.
 */
export async function forgetPerson(tx: Tx, person: { tenantId: string; userId: string }): Promise<void> {
  const { tenantId, userId } = person
  const { email } = await eraseMember(tx, person)
  const keyIds = await eraseKeyNames(tx, person)
  const sessionIds = await eraseSessionOrigins(tx, person)
  await eraseRequestTexts(tx, person)
  await eraseRequestAlerts(tx, person)
  await eraseAnswers(tx, tenantId, [...keyIds, ...sessionIds])
  await redactAudit(tx, { ...person, email })
  // This follows the changes of rows, because a trigger stores each name that a row gets.
  await forgetNames(tx, tenantId, [
    { type: 'user', id: userId },
    ...keyIds.map((id) => ({ type: 'key' as const, id })),
  ])
}

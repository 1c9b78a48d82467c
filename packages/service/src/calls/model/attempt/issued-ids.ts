import { readModelName } from '@tallystick/record/json'
import type { Reference } from '../../../providers/index.js'
import type { IssuedIds } from '../../../record/index.js'
import { hashReference } from '../../../resources/references/index.js'
import type { Answer } from '../answer.js'
import type { ReservedAttempt } from '../plan/reservation.js'

type IssuingAttempt = Pick<ReservedAttempt, 'plan' | 'reservation'>

/**
 * Returns the ids that the provider issued with an answer and that the caller may name later. Null when there are none. Ids that the
 * request itself named are left out, because naming an id does not make it the caller's own. A blocked answer cannot be continued.
 */
export function describeIssued(
  { issued, outcome }: Pick<Answer, 'issued'> & { outcome: string },
  { plan, reservation }: IssuingAttempt,
): IssuedIds | null {
  const { provider, isCached } = reservation.target
  if (isCached || outcome === 'blocked') return null
  const fresh = issued.filter((reference) => !plan.references.has(reference))
  if (fresh.length === 0) return null
  const answer = fresh.find(isResponse)
  return {
    providerId: provider.id,
    answer: answer ? hashReference(answer) : null,
    others: fresh.filter((reference) => reference !== answer).map(hashReference),
  }
}

const isResponse = ({ kind }: Reference): boolean => kind === 'response'

/** Returns the provider's id of an answer, for logs and traces. Null when there is none or the answer came from the cache. */
export function answerIdOf(
  { issued }: Pick<Answer, 'issued'>,
  { reservation }: IssuingAttempt,
): string | null {
  return reservation.target.isCached ? null : readModelName(issued.find(isResponse)?.id)
}

import { readModelName } from '../../json/index.js'
import type { IssuedIds } from '../../ledger/index.js'
import { hashReference } from '../../modules/references/index.js'
import type { Reference } from '../../providers/index.js'
import type { Answer } from '../answer.js'
import type { Attempt } from '../plan/reservation.js'

type IssuingAttempt = Pick<Attempt, 'plan' | 'reservation'>

/**
 * What the caller may name later of what the provider issued with an answer; null where that is nothing. What the request named
 * itself was issued before, or made elsewhere: to name it again makes it nobody's own. An answer that a policy blocked is not
 * gone on from.
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

/** The provider's id of an answer, for logs and traces; null where there is none, or the answer came from the cache. */
export function answerIdOf(
  { issued }: Pick<Answer, 'issued'>,
  { reservation }: IssuingAttempt,
): string | null {
  return reservation.target.isCached ? null : readModelName(issued.find(isResponse)?.id)
}

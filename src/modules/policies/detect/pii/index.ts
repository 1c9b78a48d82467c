import { isDigit } from '../characters.js'
import { type Candidate, type Finding, present, settle } from '../finding.js'
import { fold } from '../fold.js'
import { matchCard } from './card.js'
import { findEmails } from './email.js'
import { findIbans } from './iban.js'
import { findIpv6, matchIpv4 } from './ip-address.js'
import { matchInternational, matchNational } from './phone.js'
import { matchUsSsn } from './us-ssn.js'

export type PiiEntity = 'email' | 'phone' | 'credit_card' | 'iban' | 'us_ssn' | 'ip_address'

/**
 * Personal data in a text, in order, without overlaps. All entities are looked for and then chosen from: a card number is no
 * telephone number, also where nobody asked for cards.
 */
export function findPii(text: string, entities: ReadonlySet<PiiEntity>): Finding[] {
  const folded = fold(text)
  const numbers = findNumbers(folded.text)
  const settled = settle([
    findEmails(folded.text),
    findIbans(folded.text),
    numbers.cards,
    [...findIpv6(folded.text), ...numbers.addresses],
    numbers.ssns,
    numbers.phones,
  ])
  const wanted: ReadonlySet<string> = entities
  return present(
    text,
    folded,
    settled.filter(({ entity }) => wanted.has(entity)),
    (entity) => entity.toUpperCase(),
  )
}

interface Numbers {
  cards: Candidate[]
  addresses: Candidate[]
  ssns: Candidate[]
  phones: Candidate[]
}

/** One walk over the groups of digits for all that is made of them. */
function findNumbers(text: string): Numbers {
  const numbers: Numbers = { cards: [], addresses: [], ssns: [], phones: [] }
  const keep = (list: Candidate[], candidate: Candidate | undefined) => {
    if (candidate !== undefined) list.push(candidate)
  }
  let inGroup = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x2b) keep(numbers.phones, matchInternational(text, index))
    if (!isDigit(code)) {
      inGroup = false
      continue
    }
    if (inGroup) continue
    inGroup = true
    keep(numbers.cards, matchCard(text, index))
    keep(numbers.addresses, matchIpv4(text, index))
    keep(numbers.ssns, matchUsSsn(text, index))
    keep(numbers.phones, matchNational(text, index))
  }
  return numbers
}

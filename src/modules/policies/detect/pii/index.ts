import { endOfRun, isDigit } from '../characters.js'
import { type Candidate, type Finding, present, settle } from '../finding.js'
import { fold } from '../fold.js'
import { matchCard } from './card.js'
import { findEmails } from './email.js'
import { matchIban } from './iban.js'
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
    numbers.ibans,
    numbers.cards,
    [...findIpv6(folded.text), ...numbers.addresses],
    numbers.ssns,
    numbers.phones,
  ])
  const wanted: ReadonlySet<string> = entities
  const asked = settled.filter(({ entity }) => wanted.has(entity))
  return present(text, folded, asked, (entity) => entity.toUpperCase())
}

interface Numbers {
  ibans: Candidate[]
  cards: Candidate[]
  addresses: Candidate[]
  ssns: Candidate[]
  phones: Candidate[]
}

/** One walk over the groups of digits for all that is made of them. */
function findNumbers(text: string): Numbers {
  const numbers: Numbers = { ibans: [], cards: [], addresses: [], ssns: [], phones: [] }
  const keep = (list: Candidate[], candidate: Candidate | undefined) => {
    if (candidate !== undefined) list.push(candidate)
  }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x2b) keep(numbers.phones, matchInternational(text, index))
    if (!isDigit(code)) continue
    const length = endOfRun(text, index, isDigit, text.length) - index
    keep(numbers.ibans, matchIban(text, index, length))
    keep(numbers.cards, matchCard(text, index, length))
    keep(numbers.addresses, matchIpv4(text, index, length))
    keep(numbers.ssns, matchUsSsn(text, index, length))
    keep(numbers.phones, matchNational(text, index, length))
    index += length - 1
  }
  return numbers
}

import { endOfRun, isDigit } from '../characters.js'
import { type Candidate, type Finding, present, settle } from '../finding.js'
import { type FoldedText, fold } from '../fold.js'
import type { Sketch } from '../sketch.js'
import { matchCard } from './card.js'
import { hasDigits } from './digit-groups.js'
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
export function findPii(
  text: string,
  entities: ReadonlySet<PiiEntity>,
  folded: FoldedText = fold(text),
): Finding[] {
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

/** Whether a text that looks like this can have any in it, where folding changes nothing in the text. */
export const canHavePii = ({ at, number, colons }: Sketch): boolean => at || number || colons

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
  beginnings.lastIndex = 0
  while (beginnings.test(text)) {
    const index = beginnings.lastIndex - 1
    if (text.charCodeAt(index) === 0x2b) {
      keep(numbers.phones, matchInternational(text, index))
      continue
    }
    const end = endOfRun(text, index, isDigit, text.length)
    const length = end - index
    keep(numbers.ibans, matchIban(text, index, length))
    keep(numbers.addresses, matchIpv4(text, index, length))
    if (hasDigits(text, index, fewestDigits)) {
      keep(numbers.cards, matchCard(text, index, length))
      keep(numbers.ssns, matchUsSsn(text, index, length))
      keep(numbers.phones, matchNational(text, index, length))
    }
    beginnings.lastIndex = end
  }
  return numbers
}

const beginnings = /[+0-9]/g

/** Of telephone numbers; the others have more. Most numbers of a text are shorter: `20 as thick`, `9:30`. */
const fewestDigits = 7

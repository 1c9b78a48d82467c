import { canNumberStart, isAlphanumeric, isDigit, isLetter, isUnderscore, isUpper } from '../characters.js'
import type { Candidate } from '../finding.js'

/**
 * What follows the country and the two check digits, from the registry of ISO 13616: n for digits, a for letters, c for either.
 * The check digits alone would accept one in 97 of all similar texts.
 */
// biome-ignore format: a table
const structures: Record<string, string> = {
  AD: 'n8 c12', AE: 'n19', AL: 'n8 c16', AT: 'n16', AZ: 'a4 c20', BA: 'n16', BE: 'n12', BG: 'a4 n6 c8', BH: 'a4 c14',
  BI: 'n23', BR: 'n23 a1 c1', BY: 'c4 n4 c16', CH: 'n5 c12', CR: 'n18', CY: 'n8 c16', CZ: 'n20', DE: 'n18', DJ: 'n23',
  DK: 'n14', DO: 'c4 n20', EE: 'n16', EG: 'n25', ES: 'n20', FI: 'n14', FK: 'a2 n12', FO: 'n14', FR: 'n10 c11 n2',
  GB: 'a4 n14', GE: 'a2 n16', GI: 'a4 c15', GL: 'n14', GR: 'n7 c16', GT: 'c24', HN: 'a4 n20', HR: 'n17', HU: 'n24',
  IE: 'a4 n14', IL: 'n19', IQ: 'a4 n15', IS: 'n22', IT: 'a1 n10 c12', JO: 'a4 n4 c18', KW: 'a4 c22', KZ: 'n3 c13',
  LB: 'n4 c20', LC: 'a4 c24', LI: 'n5 c12', LT: 'n16', LU: 'n3 c13', LV: 'a4 c13', LY: 'n21', MC: 'n10 c11 n2',
  MD: 'c20', ME: 'n18', MK: 'n3 c10 n2', MN: 'n16', MR: 'n23', MT: 'a4 n5 c18', MU: 'a4 n19 a3', NI: 'a4 n20',
  NL: 'a4 n10', NO: 'n11', OM: 'n3 c16', PK: 'a4 c16', PL: 'n24', PS: 'a4 c21', PT: 'n21', QA: 'a4 c21', RO: 'a4 c16',
  RS: 'n18', RU: 'n14 c15', SA: 'n2 c18', SC: 'a4 n20 a3', SD: 'n14', SE: 'n20', SI: 'n15', SK: 'n20',
  SM: 'a1 n10 c12', SO: 'n19', ST: 'n21', SV: 'a4 n20', TL: 'n19', TN: 'n20', TR: 'n6 c16', UA: 'n6 c19', VA: 'n18',
  VG: 'a4 n16', XK: 'n16', YE: 'a4 n4 c18',
}

const expandedStructures: ReadonlyMap<string, string> = new Map(
  Object.entries(structures).map(([country, structure]) => [country, expand(structure)]),
)

/** Expands a structure to one letter per character: `n8 c2` becomes `nnnnnnnncc`. */
function expand(structure: string): string {
  return structure
    .split(' ')
    .map((part) => part.charAt(0).repeat(Number(part.slice(1))))
    .join('')
}

/**
 * Matches the account number whose check digits start here, by its country, length, structure and check digits. It may be grouped by
 * single spaces or hyphens.
 */
export function matchIban(text: string, checkDigits: number, groupLength: number): Candidate | undefined {
  const start = checkDigits - 2
  if (groupLength < 2 || start < 0 || !isLetter(text.charCodeAt(checkDigits - 1))) return undefined
  const structure = expandedStructures.get(text.slice(start, checkDigits).toUpperCase())
  if (structure === undefined || !canNumberStart(text, start, isUnderscore)) return undefined
  const end = readAccount(text, start, structure)
  return end === undefined ? undefined : { start, end, entity: 'iban' }
}

function readAccount(text: string, start: number, structure: string): number | undefined {
  let index = start + 4
  let account = ''
  for (const kind of structure) {
    const code = text.charCodeAt(index)
    if ((code === 0x20 || code === 0x2d) && isAlphanumeric(text.charCodeAt(index + 1))) index += 1
    if (!fits(text.charCodeAt(index), kind)) return undefined
    account += text.charAt(index)
    index += 1
  }
  const checkDigits = text.slice(start + 2, start + 4)
  if (isAlphanumeric(text.charCodeAt(index)) || checkDigits < '02' || checkDigits > '98') return undefined
  return remainder(account + text.slice(start, start + 4)) === 1 ? index : undefined
}

function fits(code: number, kind: string): boolean {
  if (kind === 'n') return isDigit(code)
  return kind === 'a' ? isLetter(code) : isAlphanumeric(code)
}

/** Returns the characters as one number modulo 97, with letters as 10 to 35. */
function remainder(characters: string): number {
  let rest = 0
  for (let index = 0; index < characters.length; index++) {
    const code = characters.charCodeAt(index)
    if (isDigit(code)) rest = (rest * 10 + code - 0x30) % 97
    else rest = (rest * 100 + code - (isUpper(code) ? 0x37 : 0x57)) % 97
  }
  return rest
}

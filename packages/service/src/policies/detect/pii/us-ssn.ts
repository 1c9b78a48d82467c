import { canNumberEnd, canNumberStart, endOfRun, isDigit, isLetter } from '../characters.js'
import type { Candidate } from '../finding.js'
import { createLabels, isLabelled, isLabelledIdentifier } from './labels.js'

const labels = createLabels(
  'ssn ssns ss social security sec taxpayer tax tin itin',
  'number no num nr is was my id the of and full',
)

/** Numbers that were printed on sample cards and in advertisements, and are seen everywhere. */
const printedSamples = new Set(['078051120', '219099999'])

/**
 * Matches the social security number that starts at this digit. With hyphens its shape is enough, unless a label says that it is
 * something else. With spaces, with dots or without separators it needs a label.
 */
export function matchUsSsn(text: string, start: number, groupLength: number): Candidate | undefined {
  if (groupLength !== 3 && groupLength !== 9) return undefined
  const separator = text.charCodeAt(start + 3)
  const end = groupLength === 3 ? start + 11 : start + 9
  if (groupLength === 3) {
    if (separator !== 0x2d && separator !== 0x20 && separator !== 0x2e) return undefined
    if (text.charCodeAt(start + 6) !== separator || endOfRun(text, start + 7, isDigit, 5) !== end)
      return undefined
    if (endOfRun(text, start + 4, isDigit, 2) !== start + 6) return undefined
  }
  if (!isAtBoundaries(text, start, end) || !isIssuable(text.slice(start, end).replace(/\D/g, '')))
    return undefined
  const isByShape = separator === 0x2d && !isLabelledIdentifier(text, start)
  return isByShape || isLabelled(text, start, labels) ? { start, end, entity: 'us_ssn' } : undefined
}

function isIssuable(digits: string): boolean {
  const area = digits.slice(0, 3)
  if (area === '000' || area === '666' || area >= '900') return false
  return digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000' && !printedSamples.has(digits)
}

/** A plus before the number is its sign, or a space in the query of a URL. */
const isAtBoundaries = (text: string, start: number, end: number): boolean =>
  canNumberStart(text, start, isJoint) &&
  canNumberEnd(text, end, isJoint) &&
  (text.charCodeAt(start - 1) !== 0x2b || isLetter(text.charCodeAt(start - 2)))

const isJoint = (code: number): boolean => code === 0x2d || code === 0x2e

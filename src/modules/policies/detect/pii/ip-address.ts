import { endOfRun, isAlphanumeric, isDigit, isHex, isLetter, isMidWord, isWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { precedes } from './context.js'

const address = (start: number, end: number): Candidate => ({ start, end, entity: 'ip_address' })

/** The IPv4 address that begins at this digit, unless what stands around it says that it is a version or a part of more. */
export function matchIpv4(text: string, start: number): Candidate | undefined {
  const end = endOfQuad(text, start)
  if (end === undefined || !isApart(text, start, end) || isNobody(text.slice(start, end))) return undefined
  return isVersion(text, start, end) ? undefined : address(start, end)
}

function endOfQuad(text: string, start: number): number | undefined {
  let index = start
  for (let part = 0; part < 4; part++) {
    if (part > 0) {
      if (text.charCodeAt(index) !== 0x2e) return undefined
      index += 1
    }
    const end = endOfRun(text, index, isDigit, 4)
    const length = end - index
    if (length === 0 || length > 3 || (length > 1 && text.charCodeAt(index) === 0x30)) return undefined
    if (length === 3 && Number(text.slice(index, end)) > 255) return undefined
    index = end
  }
  return index
}

function isApart(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  const after = text.charCodeAt(end)
  if (isMidWord(text, start) || isWord(after)) return false
  // A longer dotted number (an OID), a file name (`tool-1.2.3.4`), a pre-release (`1.2.3.4-beta`).
  if (before === 0x2e && isWord(text.charCodeAt(start - 2))) return false
  if (before === 0x2d && isLetter(text.charCodeAt(start - 2))) return false
  if (after === 0x2e && isWord(text.charCodeAt(end + 1))) return false
  return !((after === 0x2d || after === 0x2b) && isLetter(text.charCodeAt(end + 1)))
}

/** Addresses that point at nobody: this machine, none at all, and masks. */
function isNobody(quad: string): boolean {
  return quad.startsWith('127.') || quad.startsWith('255.') || quad === '0.0.0.0'
}

const versionWords =
  /(?:\bversions?|\bver|\bv|\breleases?|\bbuild|\bfirmware|\bdriver|\bsdk|\bpatch|\brevision|\brev|\bsections?|\bsec|\bchapter|\bclause|\bparagraph|\barticle|\bappendix|\bfigure|\btable|\bstep|\brule|\boid|\b(?:up|down)grad(?:ed?|ing)(?: (?:to|from))?|\bupdated? to|\bsince|\bbumped? to|§+)(?:[-_ ]?(?:number|no|nr|id))?["'\]]?\s?[.:=#]?\s?["']?$/i

/** `~> 1.2.3.4`, `==1.2.3.4`, `Chrome/1.2.3.4`, `version 1.2.3.4`, `§ 1.2.3.4`. */
function isVersion(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 0x2f) return isAlphanumeric(text.charCodeAt(start - 2))
  if (precedes(text, start, 4, /(?:[=<>~!]=|~>|[\^~])\s?$/) || precedes(text, start, 28, versionWords))
    return true
  return hasSmallParts(text.slice(start, end)) && !isCalledAddress(text, start, end)
}

/**
 * `1.7.12.1`, `4.2.6.1`: numbers of versions and sections are small throughout. Of addresses, drawn at random, 2 in 1,000 are:
 * those are found only where something says that they are one.
 */
function hasSmallParts(quad: string): boolean {
  const [first = 0, ...rest] = quad.split('.').map(Number)
  const sameOrSample = rest.every((part) => part === first) || quad === '1.2.3.4'
  return first < 32 && first !== 10 && rest.every((part) => part < 64) && !sameOrSample
}

const addressWords =
  /(?:\bipv?4?s?|address(?:es)?|\baddr|hosts?|server|client|peer|remote|gateway|router|resolver|proxy|dns|\bsubnet|\binet|forwarded-for|\bping|\bfrom|\bsrc|\bdst|\bsource|\bdestination|:\/\/|@|\[)[^\w\n]{0,4}$/i

function isCalledAddress(text: string, start: number, end: number): boolean {
  return (
    /^(?::\d{2,5}|\/\d{1,2})(?![\d.])/.test(text.slice(end, end + 7)) ||
    precedes(text, start, 24, addressWords)
  )
}

/** The characters that an IPv6 address is written with, and no more of them than the longest has. */
const mostLength = 45

const isIpv6Character = (code: number): boolean => isHex(code) || code === 0x3a || code === 0x2e

/** Addresses in every run of hexadecimal digits, dots and colons; found by their colons, which are rare. */
export function findIpv6(text: string): Candidate[] {
  const found: Candidate[] = []
  let run = 0
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', run)) {
    let start = colon
    while (start > run && isIpv6Character(text.charCodeAt(start - 1))) start -= 1
    run = endOfRun(text, colon, isIpv6Character, text.length)
    // `IP:2001:db8::1`: what stands before the first colon is a label.
    if (isWord(text.charCodeAt(start - 1)) || start === colon) {
      if (text.charCodeAt(colon + 1) !== 0x3a) start = colon + 1
      else if (start !== colon) continue
    }
    if (run - start > mostLength + 1 || isWord(text.charCodeAt(run))) continue
    const end = trimEnd(text, start, run)
    if (!isWord(text.charCodeAt(start - 1)) && isIpv6(text.slice(start, end))) found.push(address(start, end))
  }
  return found
}

/** The full stop or colon that belongs to the sentence. */
function trimEnd(text: string, start: number, end: number): number {
  const last = text.charCodeAt(end - 1)
  const colons = last === 0x3a && text.charCodeAt(end - 2) !== 0x3a
  return end - start > 1 && (last === 0x2e || colons) ? end - 1 : end
}

/**
 * Whether a text is an address that someone can have. The syntax alone would take in `a::b` of a program and the
 * eight octets of a hardware address, so the first group must be of a range that is given out.
 */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups: string[] = []
  for (const half of halves) if (half !== '') groups.push(...half.split(':'))
  const last = groups.at(-1) ?? ''
  const embedded = last.includes('.')
  if (embedded) {
    groups.pop()
    if (endOfQuad(last, 0) !== last.length) return false
  }
  const count = groups.length + (embedded ? 2 : 0)
  if (halves.length === 2 ? count > 7 || count === 0 : count !== 8) return false
  if (
    !groups.every(
      (group) => group.length > 0 && group.length <= 4 && endOfRun(group, 0, isHex, 4) === group.length,
    )
  ) {
    return false
  }
  if (embedded && groups.every((group) => /^(?:0+|ffff)$/i.test(group))) return !isNobody(last)
  if (/^::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/i.test(text)) return true
  return (
    count > 1 &&
    isGivenOut(groups[0] ?? '', text.startsWith('::')) &&
    !groups.every((group) => group.length === 2)
  )
}

/** Global unicast (2000::/3), unique local, link local, multicast, and the translation prefix 64:ff9b. */
const isGivenOut = (first: string, compressed: boolean): boolean =>
  !compressed &&
  (/^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|ff[0-7][0-9a-f])$/i.test(first) || first === '64')

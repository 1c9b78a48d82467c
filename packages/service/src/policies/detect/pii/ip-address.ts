import {
  canNumberEnd,
  canNumberStart,
  endOfRun,
  isAlphanumeric,
  isDigit,
  isHex,
  isLetter,
  isMidWord,
  isWord,
} from '../characters.js'
import type { Candidate } from '../finding.js'
import { createLabels, isLabelled } from './labels.js'

const address = (start: number, end: number): Candidate => ({ start, end, entity: 'ip_address' })

/** Matches the IPv4 address that starts at this digit, unless its surroundings show that it is a version or part of something longer. */
export function matchIpv4(text: string, start: number, groupLength: number): Candidate | undefined {
  if (groupLength > 3 || text.charCodeAt(start + groupLength) !== 0x2e || !startsAtBoundary(text, start))
    return undefined
  const quad = readQuad(text, start)
  if (quad === undefined || !endsAtBoundary(text, quad.end) || isNoHost(quad)) return undefined
  return isVersion(text, start, quad) ? undefined : address(start, quad.end)
}

interface Quad {
  parts: number[]
  end: number
}

function readQuad(text: string, start: number): Quad | undefined {
  const parts: number[] = []
  let index = start
  while (parts.length < 4) {
    if (parts.length > 0) {
      if (text.charCodeAt(index) !== 0x2e) return undefined
      index += 1
    }
    const end = endOfRun(text, index, isDigit, 4)
    if (end === index || (end - index > 1 && text.charCodeAt(index) === 0x30)) return undefined
    let part = 0
    for (; index < end; index++) part = part * 10 + text.charCodeAt(index) - 0x30
    if (part > 255) return undefined
    parts.push(part)
  }
  return { parts, end: index }
}

/** False inside a longer dotted number (an OID) and at the end of a name (`tool-1.2.3.4`). */
function startsAtBoundary(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  return !(before === 0x2d && isLetter(text.charCodeAt(start - 2))) && canNumberStart(text, start, isJoint)
}

const isJoint = (code: number): boolean => code === 0x2e || code === 0x5f

/** False before the rest of a longer dotted number, of a name, or of a pre-release (`1.2.3.4-beta`). */
function endsAtBoundary(text: string, end: number): boolean {
  const after = text.charCodeAt(end)
  if (!canNumberEnd(text, end, isJoint)) return false
  return !((after === 0x2d || after === 0x2b) && isLetter(text.charCodeAt(end + 1)))
}

/** True for addresses that no host has: loopback, unspecified, and masks. */
const isNoHost = ({ parts }: Quad): boolean =>
  parts[0] === 127 || parts[0] === 255 || parts.every((part) => part === 0)

const versions = createLabels(
  'version versions ver v release releases build firmware driver sdk patch revision rev section sections sec chapter clause ' +
    'paragraph article appendix figure table step rule oid upgrade upgraded upgrading downgrade downgraded update updated ' +
    'since bump bumped',
  'number no nr id to from',
)

/** True for versions and sections: `§ 1.2.3.4`, `Chrome/1.2.3.4`, `== 1.2.3.4`, `~> 1.2.3.4`, `version 1.2.3.4`. */
function isVersion(text: string, start: number, quad: Quad): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 0x2f) return isAlphanumeric(text.charCodeAt(start - 2))
  if (hasSmallParts(quad) && !isLabelledAddress(text, start, quad.end)) return true
  if (isInName(text, start, quad.end) && quad.parts.every((part) => part <= maxSmallPart)) return true
  if (isLabelled(text, start, versions)) return true
  return /(?:[=<>~!]=|~>|[\^~§]) ?$/.test(text.slice(Math.max(0, start - 3), start))
}

/**
 * True for small parts, which versions and sections have: `1.7.12.1`, `4.2.6.1`. Of random addresses, 2 in 1,000 have them too; those
 * are found only with a label.
 */
function hasSmallParts({ parts }: Quad): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = parts
  if (first > 31 || first === 10 || Math.max(second, third, fourth) > maxSmallPart) return false
  const same = second === first && third === first && fourth === first
  return !same && parts.join() !== sample
}

const maxSmallPart = 63

/** True inside a dotted name, such as `lib.so.1.2.3.4` and `1.2.3.4.dev0`, but also `203.0.113.77.log`. */
const isInName = (text: string, start: number, end: number): boolean =>
  (text.charCodeAt(start - 1) === 0x2e && isLetter(text.charCodeAt(start - 2))) ||
  (text.charCodeAt(end) === 0x2e && isLetter(text.charCodeAt(end + 1)))

/** A widely used example of an address. */
const sample = '1,2,3,4'

const addresses = createLabels(
  'ip ips ipv4 address addresses addr host hosts hostname server client peer remote gateway router resolver proxy dns ' +
    'nameserver subnet inet ping from src dst source destination forwarded',
  'is are was the of at to for',
)

function isLabelledAddress(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 0x40 || before === 0x5b || before === 0x2f) return true
  return (
    /^(?::\d{2,5}|\/\d{1,2})(?![\d.])/.test(text.slice(end, end + 7)) || isLabelled(text, start, addresses)
  )
}

/** The length of the longest IPv6 address. */
const maxLength = 45

const isIpv6Character = (code: number): boolean => isHex(code) || code === 0x3a || code === 0x2e

/** Finds IPv6 addresses in runs of hexadecimal digits, dots and colons. It searches for colons, which are rare. */
export function findIpv6(text: string): Candidate[] {
  const found: Candidate[] = []
  let runEnd = 0
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', runEnd)) {
    runEnd = endOfRun(text, colon, isIpv6Character, text.length)
    // Most runs have a single colon.
    const next = text.indexOf(':', colon + 1)
    if (next < 0) break
    if (next >= runEnd) continue
    const start = startOfIpv6(text, colon)
    if (runEnd - start > maxLength + 1 || isWord(text.charCodeAt(runEnd))) continue
    const end = trimEnd(text, start, runEnd)
    if (isIpv6(text.slice(start, end))) found.push(address(start, end))
  }
  return found
}

/** Returns the start of the group before the first colon, unless that is a label (`IP:2001:db8::1`). */
function startOfIpv6(text: string, colon: number): number {
  let start = colon
  while (colon - start < 4 && isHex(text.charCodeAt(start - 1))) start -= 1
  const isLabel = start === colon ? text.charCodeAt(colon + 1) !== 0x3a : isMidWord(text, start)
  return isLabel ? colon + 1 : start
}

/** Excludes a full stop or colon that belongs to the sentence. */
function trimEnd(text: string, start: number, end: number): number {
  const last = text.charCodeAt(end - 1)
  const colons = last === 0x3a && text.charCodeAt(end - 2) !== 0x3a
  return end - start > 1 && (last === 0x2e || colons) ? end - 1 : end
}

/**
 * True when a text is an address that a host can have. The syntax alone would accept `a::b` in a program and the eight octets of a
 * hardware address, so the first group must be in an allocated range.
 */
function isIpv6(text: string): boolean {
  if (!/^(?:[23fF][0-9a-fA-F]{3}:|64:|::|0)/.test(text)) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups: string[] = []
  for (const half of halves) if (half !== '') groups.push(...half.split(':'))
  const last = groups.at(-1) ?? ''
  const embedded = last.includes('.')
  const quad = embedded ? readQuad(last, 0) : undefined
  if (embedded) {
    groups.pop()
    if (quad?.end !== last.length) return false
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
  if (embedded && groups.every((group) => /^(?:0+|ffff)$/i.test(group)))
    return quad !== undefined && !isNoHost(quad)
  if (/^::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/i.test(text)) return true
  return (
    count > 1 &&
    isAllocated(groups[0] ?? '', text.startsWith('::')) &&
    !groups.every((group) => group.length === 2)
  )
}

/** True for global unicast (2000::/3), unique local, link local, multicast, and the translation prefix 64:ff9b. */
const isAllocated = (first: string, compressed: boolean): boolean =>
  !compressed &&
  (/^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|ff[0-7][0-9a-f])$/i.test(first) || first === '64')

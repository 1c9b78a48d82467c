import {
  isAlphanumeric,
  isDigit,
  isHex,
  isLetter,
  isLower,
  isMidWord,
  isNonAsciiLetter,
  isSpace,
  isUnspacedScript,
  isUpper,
  isWord,
} from '../characters.js'
import type { Candidate } from '../finding.js'
import { isTopLevelDomain } from './top-level-domains.js'

const maxLocalLength = 64
const maxDomainLength = 189
const maxUserinfoLength = 128

/** Finds email addresses as people write them: without quoted local parts, comments or address literals. */
export function findEmails(text: string): Candidate[] {
  const found: Candidate[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = startOfLocal(text, at)
    if (start === undefined) continue
    const end = endOfDomain(text, at + 1)
    if (end === undefined) continue
    if (
      isUserinfo(text, start) ||
      isRemotePath(text, end) ||
      isShellTarget(text, start) ||
      isMessageId(text, start)
    ) {
      continue
    }
    found.push({ start, end, entity: 'email' })
  }
  return found
}

function startOfLocal(text: string, at: number): number | undefined {
  let start = at
  while (start > 0 && at - start <= maxLocalLength) {
    const code = text.charCodeAt(start - 1)
    if (!isLocal(code)) break
    if (isUnspacedScript(code) && start < at && text.charCodeAt(start) < 0x80) break
    if (code === 0x2e && text.charCodeAt(start) === 0x2e) break
    start -= 1
  }
  if (at - start > maxLocalLength) return undefined
  start += escapeLength(text, start)
  while (start < at && isLeadingNoise(text.charCodeAt(start))) start += 1
  const last = text.charCodeAt(at - 1)
  return start >= at || last === 0x2e || last === 0x27 ? undefined : start
}

/** Returns how many characters of a local part belong to an escape before it: the `n` of `\n`, the `20` of `%20`. */
function escapeLength(text: string, start: number): number {
  const before = text.charCodeAt(start - 1)
  if (before === 0x25) return isHex(text.charCodeAt(start)) && isHex(text.charCodeAt(start + 1)) ? 2 : 0
  return before === 0x5c && !isMidWord(text, start + 1) ? 1 : 0
}

/** True for letters and digits of any script, and `. _ - + ' ~`. The other characters of the standard are rare in addresses. */
function isLocal(code: number): boolean {
  if (isWord(code) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x27 || code === 0x7e)
    return true
  return code >= 0x80 && isNonAsciiLetter(code)
}

const isLeadingNoise = (code: number): boolean =>
  code === 0x2e || code === 0x27 || code === 0x2d || code === 0x2b || code === 0x7e

function endOfDomain(text: string, from: number): number | undefined {
  const labels: { start: number; end: number }[] = []
  let index = from
  while (index - from <= maxDomainLength) {
    const end = endOfLabel(text, index)
    if (end === index) break
    labels.push({ start: index, end })
    if (text.charCodeAt(end) !== 0x2e) break
    index = end + 1
  }
  let last = labels.pop()
  // The last label is the start of the next sentence, without a space: `jane@example.com.Please reply`.
  if (
    last &&
    labels.length > 1 &&
    isCapitalised(text, last.start) &&
    isLower(text.charCodeAt(last.start - 2))
  ) {
    last = labels.pop()
  }
  // The last label is the extension of a file name: `jane@example.com.png`.
  if (last && labels.length > 1 && isLetter(text.charCodeAt(last.start)) && !isTopLevel(text, last))
    last = labels.pop()
  if (last === undefined || labels.length === 0 || last.end - from > maxDomainLength) return undefined
  if (text.charCodeAt(last.end) === 0x5f) return undefined
  return isTopLevel(text, last) ? last.end : undefined
}

const isTopLevel = (text: string, { start, end }: { start: number; end: number }): boolean =>
  isTopLevelDomain(text.slice(start, end))

/** Returns the end of letters, digits and inner hyphens. A label also ends where ASCII and a script without spaces meet. */
function endOfLabel(text: string, from: number): number {
  let index = from
  while (index - from < 63) {
    const code = text.charCodeAt(index)
    if (isUnspacedScript(code) && index > from && text.charCodeAt(index - 1) < 0x80) break
    if (code < 0x80 && index > from && isUnspacedScript(text.charCodeAt(index - 1))) break
    if (!isAlphanumeric(code) && !isNonAsciiLetter(code) && !(code === 0x2d && index > from)) break
    index += 1
  }
  while (index > from && text.charCodeAt(index - 1) === 0x2d) index -= 1
  return index
}

const isCapitalised = (text: string, start: number): boolean =>
  isUpper(text.charCodeAt(start)) && isLower(text.charCodeAt(start + 1))

/** True for the login of a URL before the @: `https://user:password@host`. */
function isUserinfo(text: string, start: number): boolean {
  for (let index = start - 1; index >= 0 && start - index <= maxUserinfoLength; index--) {
    const code = text.charCodeAt(index)
    if (code === 0x2f) {
      return (
        text.startsWith('://', index - 2) && !text.slice(Math.max(0, index - 8), index).endsWith('mailto:/')
      )
    }
    if (isSpace(code) || code === 0x40 || code === 0x22 || code === 0x3c || code === 0x3e) return false
  }
  return false
}

/** True for remote paths, such as `git@github.com:team/project` and `backup@host.example:/srv`. */
function isRemotePath(text: string, end: number): boolean {
  if (text.charCodeAt(end) !== 0x3a) return false
  const next = text.charCodeAt(end + 1)
  return (
    isLetter(next) || next === 0x2f || next === 0x7e || (isDigit(next) && isDigit(text.charCodeAt(end + 2)))
  )
}

const shellTarget = /(?:^|[\s`$;|&])(?:ssh|sftp|mosh|ssh-copy-id)\s$/

const isShellTarget = (text: string, start: number): boolean =>
  shellTarget.test(text.slice(Math.max(0, start - 14), start))

const messageId = /(?:message-id|in-reply-to|references): ?<$/i

const isMessageId = (text: string, start: number): boolean =>
  messageId.test(text.slice(Math.max(0, start - 16), start))

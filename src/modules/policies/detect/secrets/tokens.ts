import { endOfRun, isBase64, isMidWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { type MarkedRule, markedRules } from './marked-rules.js'
import type { Place } from './places.js'
import { looksRandom } from './strength.js'
import { type TokenRule, tokenRules } from './token-rules.js'

interface Beginning {
  prefix: string
  rule: TokenRule
}

const everyBeginning: readonly Beginning[] = tokenRules
  .flatMap((rule) => rule.prefixes.map((prefix) => ({ prefix, rule })))
  .sort((a, b) => b.prefix.length - a.prefix.length)

/** By prefix, its rules and those of shorter prefixes that it begins with: what is no `sk-ant-` may be some other `sk-`. */
const beginnings: ReadonlyMap<string, readonly Beginning[]> = new Map(
  everyBeginning.map(({ prefix: literal }) => [
    literal,
    everyBeginning.filter(({ prefix }) => literal.startsWith(prefix)),
  ]),
)

const marks: ReadonlyMap<string, MarkedRule> = new Map(markedRules.map((rule) => [rule.mark, rule]))

/** Literals, the longest first, so one pass at a constant cost per character. */
const anchors = new RegExp(
  [
    ...[...beginnings.keys()].map(escapeLiteral),
    ...markedRules.map(({ mark, ahead }) => escapeLiteral(mark) + (ahead?.source ?? '')),
  ].join('|'),
  'g',
)

function escapeLiteral(literal: string): string {
  return literal.replace(/[./-]/g, '\\$&')
}

/** Tokens of providers and clouds that can be told by how they begin, or by a mark in their middle. */
export function findTokens(text: string, places: readonly Place[]): Candidate[] {
  const found: Candidate[] = []
  let pairedTo = 0
  for (const { start, end } of places) {
    const part = text.slice(start, end)
    anchors.lastIndex = 0
    for (let hit = anchors.exec(part); hit !== null; hit = anchors.exec(part)) {
      anchors.lastIndex = hit.index + 1
      const place = start + hit.index
      const candidate = matchBeginning(text, place, hit[0]) ?? matchMarked(text, place, hit[0])
      if (candidate === undefined) continue
      found.push(candidate)
      if (candidate.entity === 'secret:aws_access_key')
        pairedTo = findPairedKeys(text, candidate, pairedTo, found)
    }
  }
  return found
}

function matchBeginning(text: string, start: number, literal: string): Candidate | undefined {
  const options = beginnings.get(literal)
  if (options === undefined) return undefined
  const joined = isMidWord(text, start) || text.charCodeAt(start - 1) === 0x2d
  for (const { prefix, rule } of options) {
    if (joined && !rule.glued) continue
    const from = start + prefix.length
    rule.rest.lastIndex = from
    const match = rule.rest.exec(text)
    if (match === null) continue
    const end = from + match[0].length
    const labelled = match[1] !== undefined
    const token = match[1] ?? prefix + match[0]
    if (rule.accepts(token, labelled ? '' : prefix)) return secret(end - token.length, end, rule.kind)
  }
  return undefined
}

function matchMarked(text: string, place: number, mark: string): Candidate | undefined {
  const rule = marks.get(mark)
  if (rule === undefined) return undefined
  rule.rest.lastIndex = place + mark.length
  const rest = rule.rest.exec(text)
  if (rest === null) return undefined
  const before = rule.before.exec(text.slice(Math.max(0, place - rule.most), place))
  if (before === null) return undefined
  const start = place - before[0].length
  const end = place + mark.length + rest[0].length
  return rule.accepts(text.slice(start, end)) ? secret(start, end, rule.kind) : undefined
}

const secret = (start: number, end: number, kind: string): Candidate => ({
  start,
  end,
  entity: `secret:${kind}`,
})

const pairedBefore = 96
const pairedAfter = 160
const pairedLength = 40

/**
 * The secret of an AWS key has no mark of its own; it is told by standing near the id: forty characters by themselves. What
 * was looked through for the id before is not looked through again. Returns how far it is done.
 */
function findPairedKeys(text: string, { start, end }: Candidate, doneTo: number, found: Candidate[]): number {
  const limit = Math.min(text.length, end + pairedAfter)
  let index = Math.max(0, start - pairedBefore, doneTo)
  while (index < limit) {
    const runEnd = endOfRun(text, index, isBase64, text.length)
    if (runEnd - index === pairedLength && !isBase64(text.charCodeAt(index - 1))) {
      if (isSecretKey(text.slice(index, runEnd))) found.push(secret(index, runEnd, 'aws_secret_key'))
    }
    index = runEnd + 1
  }
  return index
}

const isSecretKey = (key: string): boolean =>
  /[a-z]/.test(key) && /[A-Z]/.test(key) && /[0-9+/]/.test(key) && looksRandom(key)

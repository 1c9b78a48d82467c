import { endOfRun, isBase64, isMidWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { type InfixRule, infixRules } from './infix-rules.js'
import { type PrefixRule, prefixRules } from './prefix-rules.js'
import { looksRandom } from './secret-values.js'
import type { TokenRegion } from './token-regions.js'

interface PrefixedRule {
  prefix: string
  rule: PrefixRule
}

const everyPrefix: readonly PrefixedRule[] = prefixRules
  .flatMap((rule) => rule.prefixes.map((prefix) => ({ prefix, rule })))
  .sort((a, b) => b.prefix.length - a.prefix.length)

/** Rules by prefix, including those of shorter prefixes that it starts with: what does not match `sk-ant-` may match `sk-`. */
const rulesByPrefix: ReadonlyMap<string, readonly PrefixedRule[]> = new Map(
  everyPrefix.map(({ prefix: literal }) => [
    literal,
    everyPrefix.filter(({ prefix }) => literal.startsWith(prefix)),
  ]),
)

const rulesByInfix: ReadonlyMap<string, InfixRule> = new Map(infixRules.map((rule) => [rule.infix, rule]))

/** Matches all literals, the longest first, in one pass at a constant cost per character. */
const anchors = new RegExp(
  [
    ...[...rulesByPrefix.keys()].map(escapeLiteral),
    ...infixRules.map(({ infix, lookahead }) => escapeLiteral(infix) + (lookahead?.source ?? '')),
  ].join('|'),
  'g',
)

function escapeLiteral(literal: string): string {
  return literal.replace(/[./-]/g, '\\$&')
}

/** Finds tokens of providers and clouds by their prefix or infix. */
export function findTokens(text: string, regions: readonly TokenRegion[]): Candidate[] {
  const found: Candidate[] = []
  let pairedTo = 0
  for (const { start, end } of regions) {
    const region = text.slice(start, end)
    anchors.lastIndex = 0
    for (let hit = anchors.exec(region); hit !== null; hit = anchors.exec(region)) {
      anchors.lastIndex = hit.index + 1
      const anchor = start + hit.index
      const candidate = matchPrefix(text, anchor, hit[0]) ?? matchInfix(text, anchor, hit[0])
      if (candidate === undefined) continue
      found.push(candidate)
      if (candidate.entity === 'secret:aws_access_key')
        pairedTo = findPairedKeys(text, candidate, pairedTo, found)
    }
  }
  return found
}

function matchPrefix(text: string, start: number, literal: string): Candidate | undefined {
  const options = rulesByPrefix.get(literal)
  if (options === undefined) return undefined
  const isJoined = isMidWord(text, start) && text.charCodeAt(start - 1) !== 0x5f
  for (const { prefix, rule } of options) {
    if (isJoined && !rule.mayBeMidWord) continue
    const from = start + prefix.length
    rule.rest.lastIndex = from
    const match = rule.rest.exec(text)
    if (match === null) continue
    const end = from + match[0].length
    const hasLabel = match[1] !== undefined
    const token = match[1] ?? prefix + match[0]
    if (rule.accepts(token, hasLabel ? '' : prefix)) return secret(end - token.length, end, rule.kind)
  }
  return undefined
}

function matchInfix(text: string, at: number, infix: string): Candidate | undefined {
  const rule = rulesByInfix.get(infix)
  if (rule === undefined) return undefined
  rule.after.lastIndex = at + infix.length
  const after = rule.after.exec(text)
  if (after === null) return undefined
  const before = rule.before.exec(text.slice(Math.max(0, at - rule.maxBefore), at))
  if (before === null) return undefined
  const start = at - before[0].length
  const end = at + infix.length + after[0].length
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
 * Finds the secret of an AWS key. It has no recognizable form, so 40 consecutive characters near the id count as the secret. Text that
 * was searched for an earlier id is skipped. Returns the end of the searched text.
 */
function findPairedKeys(
  text: string,
  { start, end }: Candidate,
  searchedTo: number,
  found: Candidate[],
): number {
  const limit = Math.min(text.length, end + pairedAfter)
  let index = Math.max(0, start - pairedBefore, searchedTo)
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

import { isBase64, isMidWord } from '../characters.js'
import type { Candidate } from '../finding.js'
import { looksRandom } from './strength.js'
import { type MarkedRule, markedRules, type TokenRule, tokenRules } from './token-rules.js'

interface Beginning {
  prefix: string
  rule: TokenRule
}

/** Rules by the first two characters of their prefixes, the longest prefix first. */
const beginnings: ReadonlyMap<string, readonly Beginning[]> = indexBeginnings()

function indexBeginnings(): Map<string, Beginning[]> {
  const index = new Map<string, Beginning[]>()
  const all = tokenRules.flatMap((rule) => rule.prefixes.map((prefix) => ({ prefix, rule })))
  for (const beginning of all.sort((a, b) => b.prefix.length - a.prefix.length)) {
    const head = beginning.prefix.slice(0, 2)
    index.set(head, [...(index.get(head) ?? []), beginning])
  }
  return index
}

/** Literals only, so one pass at a constant cost per character. */
const anchors = new RegExp(
  [...tokenRules.flatMap(({ prefixes }) => prefixes), ...markedRules.map(({ mark }) => mark)]
    .map((literal) => literal.replace(/[./-]/g, '\\$&'))
    .join('|'),
  'g',
)

/** Tokens of providers and clouds that can be told by how they begin, or by a mark in their middle. */
export function findTokens(text: string): Candidate[] {
  const found: Candidate[] = []
  anchors.lastIndex = 0
  for (let hit = anchors.exec(text); hit !== null; hit = anchors.exec(text)) {
    const candidate = matchBeginning(text, hit.index) ?? matchMarked(text, hit.index, hit[0])
    if (candidate !== undefined) {
      found.push(candidate)
      if (candidate.entity === 'secret:aws_access_key') found.push(...findPairedKey(text, candidate))
    }
    anchors.lastIndex = hit.index + 1
  }
  return found
}

function matchBeginning(text: string, start: number): Candidate | undefined {
  for (const { prefix, rule } of beginnings.get(text.slice(start, start + 2)) ?? []) {
    if (!text.startsWith(prefix, start)) continue
    if (!rule.glued && (isMidWord(text, start) || text.charCodeAt(start - 1) === 0x2d)) continue
    rule.rest.lastIndex = start + prefix.length
    const match = rule.rest.exec(text)
    if (match === null) continue
    const end = start + prefix.length + match[0].length
    const value = match[1] ?? prefix + match[0]
    if (!rule.accepts(value, match[1] === undefined ? prefix : '')) continue
    return { start: end - value.length, end, entity: `secret:${rule.kind}` }
  }
  return undefined
}

function matchMarked(text: string, place: number, mark: string): Candidate | undefined {
  for (const rule of markedRules) {
    if (rule.mark !== mark) continue
    const candidate = matchAround(text, place, rule)
    if (candidate !== undefined) return candidate
  }
  return undefined
}

function matchAround(text: string, place: number, rule: MarkedRule): Candidate | undefined {
  rule.rest.lastIndex = place + rule.mark.length
  const rest = rule.rest.exec(text)
  if (rest === null) return undefined
  const before = rule.before.exec(text.slice(Math.max(0, place - rule.most), place))
  if (before === null) return undefined
  const start = place - before[0].length
  const end = place + rule.mark.length + rest[0].length
  return rule.accepts(text.slice(start, end)) ? { start, end, entity: `secret:${rule.kind}` } : undefined
}

const pairedBefore = 96
const pairedAfter = 160
const pairedLength = 40

/** The secret of an AWS key has no mark of its own; it is told by standing near the id: forty characters by themselves. */
function findPairedKey(text: string, { start, end }: Candidate): Candidate[] {
  const found: Candidate[] = []
  const limit = Math.min(text.length, end + pairedAfter)
  let index = Math.max(0, start - pairedBefore)
  while (index < limit) {
    let runEnd = index
    while (runEnd < limit + pairedLength && isBase64(text.charCodeAt(runEnd))) runEnd += 1
    const key = text.slice(index, runEnd)
    if (key.length === pairedLength && !isBase64(text.charCodeAt(index - 1)) && isSecretKey(key)) {
      found.push({ start: index, end: runEnd, entity: 'secret:aws_secret_key' })
    }
    index = runEnd + 1
  }
  return found
}

const isSecretKey = (key: string): boolean =>
  /[a-z]/.test(key) && /[A-Z]/.test(key) && /[0-9+/]/.test(key) && looksRandom(key)

import { type CompiledPolicy, sortPolicies } from '../compile-set.js'
import type { Finding } from '../detect/index.js'
import type { CheckSheet } from './check-sheet.js'
import { areClean } from './clean-texts.js'
import { Look } from './look.js'
import type { Pace } from './pace.js'
import { type Edit, mergeOverlaps, type Redactions, type Removal } from './redactions.js'
import { type JudgedText, readText } from './scan.js'

/** Texts one at a time: null for a string that is none, undefined behind the last. */
export interface TextSource {
  next(): JudgedText | null | undefined
}

export interface Judging {
  sheet: CheckSheet
  redactions: Redactions
  pace: Pace
}

/** By the number of each text, what must be taken out of it. */
export type TextEdits = ReadonlyMap<number, Edit[]>

const nothingToDo: TextEdits = new Map()

/** Reading a body of a million strings takes a while: others get their turn meanwhile. */
export async function readTexts(source: TextSource, pace: Pace): Promise<JudgedText[]> {
  const texts: JudgedText[] = []
  for (let text = source.next(), count = 0; text !== undefined; text = source.next()) {
    if (text !== null) texts.push(text)
    if (++count % 256 === 0 && pace.isDue()) await pace.rest()
  }
  return texts
}

/** Asks those of the policies that find text. */
export async function judgeTexts(
  policies: readonly CompiledPolicy[],
  texts: readonly JudgedText[],
  judging: Judging,
): Promise<TextEdits> {
  const { finding, finders } = sortPolicies(policies)
  if (finding.length === 0) return nothingToDo
  judging.pace.charge({ usedMs: 0 })
  if (!areClean(texts, finders, judging.pace)) return await findEdits(finding, texts, judging)
  for (const policy of finding) judging.sheet.pass(policy)
  return nothingToDo
}

async function findEdits(
  policies: readonly CompiledPolicy[],
  texts: readonly JudgedText[],
  judging: Judging,
): Promise<TextEdits> {
  const { redactions, pace } = judging
  if (pace.isDue()) await pace.rest()
  const removals = await findRemovals(policies, texts, judging)
  if (removals.size === 0) return nothingToDo
  const edits = new Map<number, Edit[]>()
  pace.charge({ usedMs: 0 })
  for (const { text } of texts) redactions.notice(text)
  for (const [number, text] of texts.entries()) {
    const found = removals.get(number)
    if (found) edits.set(number, await removeAll(found, text, judging))
  }
  return edits
}

const removalsPerStep = 1_000

async function removeAll(
  removals: Removal[],
  text: JudgedText,
  { redactions, pace }: Judging,
): Promise<Edit[]> {
  const merged = mergeOverlaps(removals)
  const edits: Edit[] = []
  for (let at = 0; at < merged.length; at += removalsPerStep) {
    for (const edit of redactions.remove(merged.slice(at, at + removalsPerStep), text)) edits.push(edit)
    if (pace.isDue()) await pace.rest()
  }
  return edits
}

/** Text by text, and all policies on each: those that use the same detector then share what it found. */
async function findRemovals(
  policies: readonly CompiledPolicy[],
  texts: readonly JudgedText[],
  { sheet, pace }: Judging,
): Promise<Map<number, Removal[]>> {
  const removals = new Map<number, Removal[]>()
  const asked = new Map(policies.map((policy) => [policy, { usedMs: 0 }]))
  for (const [number, text] of texts.entries()) {
    if (text.isEcho) continue
    const reading = readText(text, pace)
    const look = new Look(reading instanceof Promise ? await reading : reading, pace)
    for (const [policy, account] of asked) {
      if (policy.judge.looksAt !== 'text') continue
      try {
        pace.charge(account)
        const looking = look.findFor(policy.judge)
        const found = looking instanceof Promise ? await looking : looking
        if (pace.isDue()) await pace.rest()
        const [first] = found
        if (first === undefined) continue
        sheet.violated(policy, describeFinding(first))
        // Once is enough, unless everything must go.
        if (policy.action !== 'redact') asked.delete(policy)
        else addRemovals(removals, number, found, policy.judge.restore)
      } catch {
        sheet.failed(policy)
        asked.delete(policy)
      }
    }
  }
  for (const policy of policies) sheet.pass(policy)
  return removals
}

function addRemovals(
  removals: Map<number, Removal[]>,
  number: number,
  found: readonly Finding[],
  restore: boolean,
): void {
  const all = removals.get(number) ?? []
  for (const { start, end, entity, placeholder } of found)
    all.push({ start, end, entity, placeholder, restore })
  removals.set(number, all)
}

/** What was found, never the text itself. */
export const describeFinding = ({ entity }: { entity: string }): string =>
  `it has something in it that must not be there (${entity})`

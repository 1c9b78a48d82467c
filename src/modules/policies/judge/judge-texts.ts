import type { CompiledPolicy } from '../compile-set.js'
import type { TextFinder } from '../kinds/judge.js'
import type { CheckSheet } from './check-sheet.js'
import type { ReadText } from './json-text.js'
import type { Pace } from './pace.js'
import type { Edit, Redactions, Removal } from './redactions.js'
import { type JudgedText, readText, scan } from './scan.js'

/** Texts one at a time: null for a string that is none, undefined behind the last. */
export interface TextSource {
  next(): JudgedText | null | undefined
}

export interface Judging {
  sheet: CheckSheet
  redactions: Redactions
  pace: Pace
}

/** Reading a body of a million strings takes a while: others get their turn meanwhile. */
export async function readTexts(source: TextSource, pace: Pace): Promise<JudgedText[]> {
  const texts: JudgedText[] = []
  for (let text = source.next(), count = 0; text !== undefined; text = source.next()) {
    if (text !== null) texts.push(text)
    if (++count % 256 === 0 && pace.isDue()) await pace.rest()
  }
  return texts
}

/** Asks the policies that find text; tells, by the number of each text, what must be taken out of it. */
export async function judgeTexts(
  policies: readonly CompiledPolicy[],
  texts: readonly JudgedText[],
  judging: Judging,
): Promise<Map<number, Edit[]>> {
  const { redactions } = judging
  const removals = await findRemovals(policies, texts, judging)
  const edits = new Map<number, Edit[]>()
  if (removals.size === 0) return edits
  for (const { text } of texts) redactions.notice(text)
  for (const [number, text] of texts.entries()) {
    const found = removals.get(number)
    if (found) edits.set(number, redactions.remove(found, text))
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
  const asked = new Set(policies)
  for (const [number, text] of texts.entries()) {
    if (text.isEcho) continue
    const read = readText(text)
    for (const policy of asked) {
      try {
        const looked = findIn(read, policy, pace)
        const found = Array.isArray(looked) ? looked : await looked
        const [first] = found
        if (first === undefined) continue
        sheet.violated(policy, describeFinding(first))
        if (policy.action === 'redact') removals.set(number, [...(removals.get(number) ?? []), ...found])
        // Once is enough, unless everything must go.
        else asked.delete(policy)
      } catch {
        sheet.failed(policy)
        asked.delete(policy)
      }
    }
  }
  for (const policy of policies) sheet.pass(policy)
  return removals
}

/** No promise where none is needed: most texts are short, and there may be thousands of them. */
function findIn(read: ReadText, { judge }: CompiledPolicy, pace: Pace): Removal[] | Promise<Removal[]> {
  if (judge.looksAt !== 'text') return []
  const { finders, restore } = judge
  const [only] = finders
  if (only && finders.length === 1 && read.text.length <= only.stride && !pace.isDue()) {
    const found = scan(read, only, pace)
    if (Array.isArray(found)) return found.map((finding) => ({ ...finding, restore }))
  }
  return findWithRests(read, finders, restore, pace)
}

async function findWithRests(
  read: ReadText,
  finders: readonly TextFinder[],
  restore: boolean,
  pace: Pace,
): Promise<Removal[]> {
  const removals: Removal[] = []
  for (const finder of finders) {
    for (const finding of await scan(read, finder, pace)) removals.push({ ...finding, restore })
    if (pace.isDue()) await pace.rest()
  }
  return removals
}

/** What was found, never the text itself. */
export const describeFinding = ({ entity }: { entity: string }): string =>
  `it has something in it that must not be there (${entity})`

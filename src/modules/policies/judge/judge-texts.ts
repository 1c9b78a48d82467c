import type { CompiledPolicy } from '../compile-set.js'
import type { Finding } from '../detect/index.js'
import type { TextFinder } from '../kinds/judge.js'
import type { CheckSheet } from './check-sheet.js'
import type { ReadText } from './json-text.js'
import type { Pace } from './pace.js'
import { type Edit, mergeOverlaps, type Redactions, type Removal } from './redactions.js'
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
  const { redactions, pace } = judging
  const removals = await findRemovals(policies, texts, judging)
  const edits = new Map<number, Edit[]>()
  if (removals.size === 0) return edits
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
    const read = reading instanceof Promise ? await reading : reading
    for (const [policy, account] of asked) {
      try {
        pace.charge(account)
        const looking = findIn(read, policy, pace)
        const found = looking instanceof Promise ? await looking : looking
        const [first] = found
        if (first === undefined) continue
        sheet.violated(policy, describeFinding(first))
        // Once is enough, unless everything must go.
        if (policy.action !== 'redact') asked.delete(policy)
        else removals.set(number, removals.get(number)?.concat(found) ?? found)
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
  if (only && finders.length === 1 && !pace.isDue()) {
    const found = scan(read, only, pace)
    if (Array.isArray(found)) return found.length === 0 ? nothing : withRestore(found, restore)
    return found.then((all) => withRestore(all, restore))
  }
  return findWithRests(read, finders, restore, pace)
}

const nothing: Removal[] = []

async function findWithRests(
  read: ReadText,
  finders: readonly TextFinder[],
  restore: boolean,
  pace: Pace,
): Promise<Removal[]> {
  const removals: Removal[] = []
  for (const finder of finders) {
    for (const finding of withRestore(await scan(read, finder, pace), restore)) removals.push(finding)
    if (pace.isDue()) await pace.rest()
  }
  return removals
}

const withRestore = (found: Finding[], restore: boolean): Removal[] =>
  found.map(({ start, end, entity, placeholder }) => ({ start, end, entity, placeholder, restore }))

/** What was found, never the text itself. */
export const describeFinding = ({ entity }: { entity: string }): string =>
  `it has something in it that must not be there (${entity})`

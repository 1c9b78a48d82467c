import type { CompiledPolicy } from '../sets/compiled-policy.js'
import { findersOf, type PolicyGroup } from '../sets/policy-group.js'
import type { CheckResults } from './check-results.js'
import { widenNumbers } from './decode/json-text.js'
import { trimLongPayload } from './decode/payload.js'
import type { Edit } from './edit/edits.js'
import { mergeOverlaps, type Redactions, type Removal } from './edit/redactions.js'
import { decodeText, isId, type JudgedText } from './judged-text.js'
import { isKnownClean } from './known-clean.js'
import { type ScannedFinding, TextScan } from './text-scan.js'
import type { TimeAccount, WorkTimer } from './work-timer.js'

/** A source of texts, read one at a time. `next` returns null for a string that is not a text, and undefined after the last. */
export interface TextSource {
  next(): JudgedText | null | undefined
}

/** The state of judging one call, from its request to the end of its answer. */
export interface JudgeContext {
  results: CheckResults
  redactions: Redactions
  timer: WorkTimer
  /** Filled in policy trials. */
  findings?: TextFinding[] | undefined
}

/** A finding of a policy in a text. */
export interface TextFinding {
  policy: CompiledPolicy
  /** The index of the text. */
  number: number
  start: number
  end: number
  entity: string
  /** The placeholder that replaces it; null unless it is redacted. */
  replacement: string | null
}

/** The redactions in each text, by the index of the text. */
export type TextEdits = ReadonlyMap<number, Edit[]>

// Bounded: stays empty.
const noEdits: TextEdits = new Map()

/** Reads all texts. A body of a million strings takes a while, so this yields to other calls. */
export async function readTexts(
  source: TextSource,
  isEcho: (text: JudgedText) => boolean,
  timer: WorkTimer,
): Promise<JudgedText[]> {
  const texts: JudgedText[] = []
  for (let text = source.next(), count = 0; text !== undefined; text = source.next()) {
    if (text !== null) {
      const judged = text.kind === 'payload' ? await trimLongPayload(text, timer) : text
      texts.push(judged.isEcho === isEcho(judged) ? judged : { ...judged, isEcho: isEcho(judged) })
    }
    if (++count % 256 === 0 && timer.shouldYield()) await timer.yieldToOthers()
  }
  return texts
}

/** Asks the policies that find text. */
export async function judgeTexts(
  { textPolicies, finders }: PolicyGroup,
  texts: readonly JudgedText[],
  context: JudgeContext,
): Promise<TextEdits> {
  if (textPolicies.length === 0) return noEdits
  const { results, redactions, timer } = context
  let undecided: Map<CompiledPolicy, TimeAccount> | undefined
  const removals = new Map<number, Removal[]>()
  let undecidedFinders = finders
  for (const [number, text] of texts.entries()) {
    timer.stopCharging()
    if (timer.shouldYield()) await timer.yieldToOthers()
    if (text.isEcho || isKnownClean(text, undecidedFinders, timer)) continue
    undecided ??= new Map(textPolicies.map((policy) => [policy, { usedMs: 0 }]))
    const found = await findRemovals(undecided, text, number, context)
    if (found.length > 0) removals.set(number, found)
    undecidedFinders = undecided.size === textPolicies.length ? finders : findersOf(undecided.keys())
  }
  for (const policy of textPolicies) results.recordPass(policy)
  if (removals.size === 0) return noEdits
  timer.stopCharging()
  for (const { text } of texts) redactions.reservePlaceholdersIn(text)
  const edits = new Map<number, Edit[]>()
  for (const [number, text] of texts.entries()) {
    const found = removals.get(number)
    if (found) edits.set(number, await redactAll(found, text, context))
  }
  if (context.findings) recordReplacements(context.findings, edits)
  return edits
}

function recordReplacements(findings: TextFinding[], edits: TextEdits): void {
  for (const finding of findings) {
    if (finding.policy.action !== 'redact') continue
    const edit = edits
      .get(finding.number)
      ?.find(({ start, end }) => start <= finding.start && finding.end <= end)
    finding.replacement ??= edit?.replacement ?? null
  }
}

/** Returns the removals in one text. Deletes a policy from `undecided` when it need not be asked about further texts. */
async function findRemovals(
  undecided: Map<CompiledPolicy, TimeAccount>,
  text: JudgedText,
  number: number,
  { results, timer, findings }: JudgeContext,
): Promise<Removal[]> {
  const removals: Removal[] = []
  const scan = new TextScan(await decodeText(text, timer), timer, { isId: isId(text) })
  for (const [policy, account] of undecided) {
    if (policy.judge.subject !== 'text') continue
    try {
      timer.chargeTo(account)
      const found = await scan.findFor(policy.judge)
      const [first] = found
      if (first === undefined) continue
      results.recordViolation(policy, describeFinding(first))
      for (const { start, end, entity } of findings ? found : [])
        findings?.push({ policy, number, start, end, entity, replacement: null })
      // One finding is enough, unless all must be redacted.
      if (policy.action !== 'redact') undecided.delete(policy)
      else if (isRedactable(text, found))
        for (const finding of found) removals.push(toRemoval(finding, text, policy.judge.restore))
      else {
        results.recordUnredactable(policy, describeFinding(first))
        undecided.delete(policy)
      }
    } catch {
      results.recordError(policy)
      undecided.delete(policy)
    }
  }
  return removals
}

/** True when these findings can be replaced by placeholders. A placeholder within encoded bytes would corrupt them. */
export const isRedactable = ({ kind }: Pick<JudgedText, 'kind'>, found: readonly ScannedFinding[]): boolean =>
  kind !== 'fixed' && kind !== 'model' && (kind !== 'payload' || found.every(({ isDecoded }) => !isDecoded))

/** Returns the removal for a finding. A number is removed as a whole. */
export const toRemoval = (
  { start, end, entity, placeholder }: ScannedFinding,
  { text, kind }: Pick<JudgedText, 'text' | 'kind'>,
  restore: boolean,
): Removal => ({
  start: kind === 'number' ? 0 : start,
  end: kind === 'number' ? text.length : end,
  entity,
  placeholder,
  restore,
})

const removalsPerStep = 1_000

async function redactAll(
  removals: Removal[],
  text: JudgedText,
  { redactions, timer }: JudgeContext,
): Promise<Edit[]> {
  const found = mergeOverlaps(removals)
  const merged = text.json ? mergeOverlaps(widenNumbers(text.text, found)) : found
  const edits: Edit[] = []
  for (let at = 0; at < merged.length; at += removalsPerStep) {
    for (const edit of redactions.redact(merged.slice(at, at + removalsPerStep), text)) edits.push(edit)
    if (timer.shouldYield()) await timer.yieldToOthers()
  }
  return edits
}

/** Describes a finding by its entity, never by the text itself. */
export const describeFinding = ({ entity }: { entity: string }): string =>
  `it has something in it that must not be there (${entity})`

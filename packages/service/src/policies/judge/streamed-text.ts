import { maxReach } from '../detect/index.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'
import type { PolicyGroup } from '../sets/policy-group.js'
import { EditedText } from './edit/edited-text.js'
import type { Edit } from './edit/edits.js'
import { mergeOverlaps, type Removal } from './edit/redactions.js'
import { describeFinding, isRedactable, type JudgeContext, toRemoval } from './judge-texts.js'
import { decodeText, isId, type JudgedText } from './judged-text.js'
import { isKnownClean } from './known-clean.js'
import { type ScannedFinding, TextScan } from './text-scan.js'
import type { TimeAccount } from './work-timer.js'

/** A finding that may still grow is held back until it is this many times as long as the hold-back. */
const maxGrowth = 4

/** So many characters of released text are kept, so that a finding that starts in them is still found. */
const contextChars = 256

export interface StreamedTextOptions {
  policies: PolicyGroup
  context: JudgeContext
  json: boolean
  kind?: JudgedText['kind']
  holdBackChars: number
  /** True when text must wait until it is judged. Policies that only flag do not need that. */
  holdsBack: boolean
}

interface Decision {
  removals: readonly Removal[]
  /** From here on, more of the text is needed to decide. */
  undecidedFrom: number
}

/**
 * A text of an answer that arrives in pieces, such as the content of a choice. Each span is judged once enough characters follow it to be
 * sure that nothing in it is part of a longer finding. Positions count from the start of the text.
 */
export class StreamedText {
  readonly #options: StreamedTextOptions
  readonly #text = new EditedText()
  /** Policies have decided on the text up to this position. */
  #judged = 0
  /** The caller may see the text up to this position. */
  #cleared = 0
  /** The start of a finding that was decided on before its end was known. */
  #openFindingStart = Number.POSITIVE_INFINITY
  // Bounded: policies of the set, for one text.
  readonly #accounts = new Map<CompiledPolicy, TimeAccount>()
  /** The time that all policies together use for texts without findings. */
  readonly #cleanAccount: TimeAccount = { usedMs: 0 }
  #ended = false

  constructor(options: StreamedTextOptions) {
    this.#options = options
  }

  append(piece: string): void {
    this.#text.append(piece)
    this.#ended = false
  }

  end(): void {
    this.#ended = true
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  get length(): number {
    return this.#text.length
  }

  get cleared(): number {
    return this.#cleared
  }

  /** True when judging now can change something. */
  isDue(): boolean {
    return !this.#options.holdsBack || this.#hasEnoughToJudge(this.#ended)
  }

  /**
   * Judges as much as possible. With `asIfEnded` it judges all of it, because other texts must not wait for it any longer.
   *
   * Returns no promise if nothing is found, which is the usual case. With a promise each time, judging a stream took 1.05 times as long,
   * and its events would queue up.
   */
  judge(asIfEnded = false): Promise<void> | undefined {
    const isFinal = asIfEnded || this.#ended
    const deciding = this.#hasEnoughToJudge(isFinal) ? this.#decide(isFinal) : undefined
    if (deciding) return deciding.then(() => this.#clear(isFinal))
    this.#clear(isFinal)
    return undefined
  }

  /** Judges a quarter of the hold-back at a time. Judging with every word would cost many times as much. */
  #hasEnoughToJudge(isFinal: boolean): boolean {
    const { holdBackChars, policies } = this.#options
    const minChars = isFinal ? 1 : holdBackChars / 4
    return policies.textPolicies.length > 0 && this.#judgeableEnd(isFinal) - this.#judged >= minChars
  }

  #judgeableEnd(isFinal: boolean): number {
    return isFinal ? this.length : this.length - this.#options.holdBackChars
  }

  #decide(isFinal: boolean): Promise<void> | undefined {
    const until = this.#judgeableEnd(isFinal)
    this.#openFindingStart = Number.POSITIVE_INFINITY
    if (!this.#isKnownClean())
      return this.#findRemovals(until, isFinal).then((decision) => this.#apply(until, decision))
    this.#apply(until, { removals: [], undecidedFrom: until })
    return undefined
  }

  #apply(until: number, { removals, undecidedFrom }: Decision): void {
    const decided = Math.max(this.#judged, Math.min(until, undecidedFrom))
    // Findings that start later are found again when more of the text is known.
    this.#redact(removals.filter(({ start }) => start < decided))
    this.#judged = Math.max(decided, this.#text.lastRemovalEnd)
  }

  #keptText(): JudgedText {
    const { json, kind = 'text' } = this.#options
    return { text: this.#text.kept, json, kind }
  }

  #isKnownClean(): boolean {
    const { policies, context } = this.#options
    const { timer, results } = context
    timer.chargeTo(this.#cleanAccount)
    if (!isKnownClean(this.#keptText(), policies.finders, timer, this.#text.base > 0)) return false
    for (const policy of policies.textPolicies) results.recordPass(policy)
    return true
  }

  async #findRemovals(until: number, isFinal: boolean): Promise<Decision> {
    const { policies, context } = this.#options
    const { timer, results } = context
    const removals: Removal[] = []
    let undecidedFrom = until
    timer.stopCharging()
    if (timer.shouldYield()) await timer.yieldToOthers()
    const kept = this.#keptText()
    const scan = new TextScan(await decodeText(kept, timer), timer, {
      isCut: this.#text.base > 0,
      isId: isId(kept),
    })
    for (const policy of policies.textPolicies) {
      if (policy.judge.subject !== 'text') continue
      try {
        timer.chargeTo(this.#accountOf(policy))
        const found = await scan.findFor(policy.judge)
        const decision = this.#decideOn(policy, policy.judge.restore, found, until, isFinal)
        removals.push(...decision.removals)
        undecidedFrom = Math.min(undecidedFrom, decision.undecidedFrom)
        results.recordPass(policy)
      } catch {
        results.recordError(policy)
      }
    }
    return { removals, undecidedFrom }
  }

  /** Decides on those findings of a policy that cannot change any more. */
  #decideOn(
    policy: CompiledPolicy,
    restore: boolean,
    found: readonly ScannedFinding[],
    until: number,
    isFinal: boolean,
  ): Decision {
    const removals: Removal[] = []
    let undecidedFrom = until
    for (const finding of found) {
      const start = finding.start + this.#text.base
      const end = finding.end + this.#text.base
      if (end <= this.#judged) continue
      if (!isFinal && start >= this.#judged && this.#mayGrow(start, end, until)) {
        undecidedFrom = Math.min(undecidedFrom, start)
        continue
      }
      const { context, kind = 'text' } = this.#options
      context.results.recordViolation(policy, describeFinding(finding))
      if (policy.action === 'redact' && !isRedactable({ kind }, [finding]))
        context.results.recordUnredactable(policy, describeFinding(finding))
      else if (policy.action === 'redact')
        removals.push(toRemoval({ ...finding, start, end }, { kind, text: this.#text.kept }, restore))
      // The rest of a long finding can only be recognised together with its start.
      if (end > until) this.#openFindingStart = Math.min(this.#openFindingStart, start)
    }
    return { removals, undecidedFrom }
  }

  #accountOf(policy: CompiledPolicy): TimeAccount {
    const account = this.#accounts.get(policy) ?? { usedMs: 0 }
    this.#accounts.set(policy, account)
    return account
  }

  #mayGrow(start: number, end: number, until: number): boolean {
    return end > until && this.length - start < maxGrowth * this.#options.holdBackChars
  }

  /** Redacts the removals. Released text cannot be taken back: of a finding that starts there, only the rest is redacted. */
  #redact(removals: readonly Removal[]): void {
    const { redactions } = this.#options.context
    const { base, lastRemovalEnd } = this.#text
    const from = Math.max(this.#judged, lastRemovalEnd)
    const fresh: Removal[] = []
    // A long finding is found again when more of it is known. Merging keeps its rest from counting as another finding.
    for (const removal of mergeOverlaps([...removals])) {
      if (removal.end <= from) continue
      // The start already has a placeholder, which covers the whole finding.
      if (removal.start < from && lastRemovalEnd === from)
        this.#text.addRemoval({ start: from, end: removal.end, replacement: '' })
      else fresh.push({ ...removal, start: Math.max(from, removal.start) - base, end: removal.end - base })
    }
    if (fresh.length === 0) return
    redactions.reservePlaceholdersIn(this.#text.kept)
    for (const edit of redactions.redact(fresh, this.#keptText()))
      this.#text.addRemoval(this.#toAbsolute(edit))
  }

  #clear(isFinal: boolean): void {
    const { context, holdsBack } = this.#options
    const { redactions } = context
    let until = holdsBack ? this.#judged : this.length
    if (redactions.canRestore) {
      const { base, kept } = this.#text
      if (!isFinal) until = Math.min(until, base + redactions.findPartialPlaceholder(kept))
      const restored = redactions
        .restore(this.#keptText(), Math.max(0, this.#cleared - base))
        .map((edit) => this.#toAbsolute(edit))
      // The cleared text must not end within a placeholder.
      for (const { start, end } of restored) if (start < until && until < end) until = start
      for (const edit of restored) if (edit.end <= until) this.#text.addRestored(edit)
    }
    this.#cleared = Math.max(this.#cleared, until)
  }

  #toAbsolute(edit: Edit): Edit {
    const { base } = this.#text
    return { ...edit, start: edit.start + base, end: edit.end + base }
  }

  /** Returns a span as the caller may see it; null if it is unchanged. */
  read(from: number, to: number): string | null {
    return this.#text.read(from, to)
  }

  /** Returns a span without restored values; null if it is unchanged. */
  readRemoved(from: number, to: number): string | null {
    return this.#text.readRemoved(from, to)
  }

  /** Returns a span without restored values, preceded by some context. */
  readRedacted(from: number, to: number): string {
    return this.#text.readRedacted(from - contextChars, to)
  }

  /** Drops text that the caller has seen and no policy needs any more. */
  trim(seen: number): void {
    const judged = this.#options.policies.textPolicies.length > 0 ? this.#judged : seen
    const needed = this.length - this.#openFindingStart < maxReach ? this.#openFindingStart : judged
    const base = Math.min(seen, judged, needed) - contextChars
    // Dropping copies the text, so it is not done with every word.
    if (base - this.#text.base >= contextChars) this.#text.dropBefore(base)
  }
}

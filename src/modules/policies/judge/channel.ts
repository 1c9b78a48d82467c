import type { CompiledPolicy } from '../compiled-policy.js'
import { maxReach } from '../detect/index.js'
import type { PolicyGroup } from '../policy-group.js'
import { EditedText } from './edited-text.js'
import type { Edit } from './edits.js'
import { describeFinding, isRedactable, type JudgeContext, toRemoval } from './judge-texts.js'
import { decodeText, isId, type JudgedText } from './judged-text.js'
import { isKnownClean } from './known-clean.js'
import { mergeOverlaps, type Removal } from './redactions.js'
import { type ScannedFinding, TextScan } from './text-scan.js'
import type { TimeAccount } from './work-timer.js'

/** A finding that may still grow is waited for until it is this many times as long as the hold-back. */
const maxGrowth = 4

/** Text that was released is kept this far back, so that what starts in it is still found. */
const contextChars = 256

export interface ChannelOptions {
  policies: PolicyGroup
  context: JudgeContext
  json: boolean
  sort?: JudgedText['sort']
  holdBackChars: number
  /** Whether text must wait until it is judged. Where policies only flag, it need not. */
  holdsBack: boolean
}

interface Decision {
  removals: readonly Removal[]
  /** From here on, more of the text is needed to decide. */
  undecidedFrom: number
}

/**
 * One text that comes in pieces, such as the content of a choice. It is judged as it grows: each span once enough
 * characters follow it to know that nothing in it belongs to something longer. Positions count from the start of the text.
 */
export class Channel {
  readonly #options: ChannelOptions
  readonly #text = new EditedText()
  /** How far policies have decided. */
  #judged = 0
  /** How far the caller may see it. */
  #cleared = 0
  /** Where a finding starts that was decided on before its end was known. */
  #openFindingStart = Number.POSITIVE_INFINITY
  readonly #accounts = new Map<CompiledPolicy, TimeAccount>()
  /** For finding out that nothing is found, by all policies together. */
  readonly #cleanAccount: TimeAccount = { usedMs: 0 }
  #ended = false

  constructor(options: ChannelOptions) {
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

  /** Whether judging now can change anything. */
  isDue(): boolean {
    return !this.#options.holdsBack || this.#hasEnoughToJudge(this.#ended)
  }

  /**
   * Judges what can be judged by now. `asIfEnded`: all of it, since other texts must not wait for it any longer.
   *
   * Without a promise if nothing is found, as with nearly all texts. With one each time, judging a stream took 1.05 times as
   * long, and its events would queue up meanwhile.
   */
  judge(asIfEnded = false): Promise<void> | undefined {
    const isFinal = asIfEnded || this.#ended
    const deciding = this.#hasEnoughToJudge(isFinal) ? this.#decide(isFinal) : undefined
    if (deciding) return deciding.then(() => this.#clear(isFinal))
    this.#clear(isFinal)
    return undefined
  }

  /** A quarter of the hold-back at a time: to judge with every word would cost many times as much. */
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
    // What starts later is found again, when more of the text is known.
    this.#redact(removals.filter(({ start }) => start < decided))
    this.#judged = Math.max(decided, this.#text.lastRemovalEnd)
  }

  #keptText(): JudgedText {
    const { json, sort = 'text' } = this.#options
    return { text: this.#text.kept, json, sort }
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
    timer.chargeToNobody()
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

  /** Which of a policy's findings can be decided on by now. */
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
      const { context, sort = 'text' } = this.#options
      context.results.recordViolation(policy, describeFinding(finding))
      if (policy.action === 'redact' && !isRedactable({ sort }, [finding]))
        context.results.recordUnredactable(policy, describeFinding(finding))
      else if (policy.action === 'redact')
        removals.push(toRemoval({ ...finding, start, end }, { sort, text: this.#text.kept }, restore))
      // The rest of a long finding can only be recognized together with its start.
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

  /** What was released cannot be taken back: of a finding that starts there, only the rest is redacted. */
  #redact(removals: readonly Removal[]): void {
    const { redactions } = this.#options.context
    const { base, lastRemovalEnd } = this.#text
    const from = Math.max(this.#judged, lastRemovalEnd)
    const fresh: Removal[] = []
    // A long finding is found again when more of it is known: merged, so that its rest does not count as another one.
    for (const removal of mergeOverlaps([...removals])) {
      if (removal.end <= from) continue
      // Its start already has a placeholder, which stands for all of it.
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
      // No placeholder is cut in two.
      for (const { start, end } of restored) if (start < until && until < end) until = start
      for (const edit of restored) if (edit.end <= until) this.#text.addRestored(edit)
    }
    this.#cleared = Math.max(this.#cleared, until)
  }

  #toAbsolute(edit: Edit): Edit {
    const { base } = this.#text
    return { ...edit, start: edit.start + base, end: edit.end + base }
  }

  /** A span as the caller may see it; null if that is as it came. */
  read(from: number, to: number): string | null {
    return this.#text.read(from, to)
  }

  /** A span without what was put back for the caller; null if that is as it came. */
  readRemoved(from: number, to: number): string | null {
    return this.#text.readRemoved(from, to)
  }

  /** A span before anything was restored in it, with some context before it. */
  readRedacted(from: number, to: number): string {
    return this.#text.readRedacted(from - contextChars, to)
  }

  /** Forgets what the caller has seen and no policy needs any more. */
  trim(seen: number): void {
    const judged = this.#options.policies.textPolicies.length > 0 ? this.#judged : seen
    const needed = this.length - this.#openFindingStart < maxReach ? this.#openFindingStart : judged
    const base = Math.min(seen, judged, needed) - contextChars
    // Not with every word: each time, the text is copied.
    if (base - this.#text.base >= contextChars) this.#text.dropBefore(base)
  }
}

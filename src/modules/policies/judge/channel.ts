import { type CompiledPolicy, sortPolicies } from '../compile-set.js'
import { type Finding, reach } from '../detect/index.js'
import { areClean } from './clean-texts.js'
import { describeFinding, type Judging } from './judge-texts.js'
import { Look } from './look.js'
import type { Account } from './pace.js'
import { combineEdits, type Edit, mergeOverlaps, type Removal } from './redactions.js'
import { readText } from './scan.js'

/** A finding that is still growing is waited for, up to this many times the hold-back. */
const mostPatience = 4

/** Text that was let go is kept this far back, so that what began in it is still found. */
const contextChars = 256

export interface ChannelOptions {
  /** Those that find text. */
  policies: readonly CompiledPolicy[]
  judging: Judging
  json: boolean
  holdBackChars: number
  /** Whether text must wait until it is judged; where policies only flag, it need not. */
  holds: boolean
}

interface FoundRemovals {
  removals: readonly Removal[]
  /** From here on it cannot be told yet. */
  waitFrom: number
}

/**
 * One text that comes in pieces, such as the content of a choice. It is judged as it grows: each stretch once there are
 * enough characters behind it to know that nothing in it belongs to something longer. Positions count from its start.
 */
export class Channel {
  readonly #options: ChannelOptions
  /** The text from `#base` on. */
  #text = ''
  #base = 0
  /** How far policies have decided. */
  #judged = 0
  /** How far it may be seen. */
  #cleared = 0
  /** Where a finding began that was decided on and had not ended. */
  #unfinishedFrom = Number.POSITIVE_INFINITY
  readonly #accounts = new Map<CompiledPolicy, Account>()
  /** Of looks that found nothing, by all policies together. */
  readonly #cleanAccount: Account = { usedMs: 0 }
  #removals: Edit[] = []
  #restored: Edit[] = []
  #ended = false

  constructor(options: ChannelOptions) {
    this.#options = options
  }

  append(piece: string): void {
    this.#text += piece
    this.#ended = false
  }

  end(): void {
    this.#ended = true
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  get length(): number {
    return this.#base + this.#text.length
  }

  get cleared(): number {
    return this.#cleared
  }

  /**
   * Decides on what can be decided on by now. `force`: on all that is there, as if it had ended, since others must not wait for
   * it any longer. No promise where nothing has to be waited for.
   */
  settle(force = false): Promise<void> | undefined {
    const isLast = force || this.#ended
    const judging = this.#isWorthALook(isLast) ? this.#judge(this.#horizon(isLast), isLast) : undefined
    if (judging) return judging.then(() => this.#clear(isLast))
    this.#clear(isLast)
    return undefined
  }

  /** Whether settling can change anything. */
  isDue(): boolean {
    return !this.#options.holds || this.#isWorthALook(this.#ended)
  }

  /** A quarter of the hold-back at a time: to look anew with every word would cost many times as much. */
  #isWorthALook(isLast: boolean): boolean {
    const { holdBackChars, policies } = this.#options
    const fewest = isLast ? 1 : holdBackChars / 4
    return policies.length > 0 && this.#horizon(isLast) - this.#judged >= fewest
  }

  /** How far it can be decided on. */
  #horizon(isLast: boolean): number {
    return isLast ? this.length : this.length - this.#options.holdBackChars
  }

  #judge(horizon: number, isLast: boolean): Promise<void> | undefined {
    this.#unfinishedFrom = Number.POSITIVE_INFINITY
    if (!this.#isClean())
      return this.#findRemovals(horizon, isLast).then((found) => this.#carryOut(horizon, found))
    this.#carryOut(horizon, { removals: [], waitFrom: horizon })
    return undefined
  }

  #carryOut(horizon: number, { removals, waitFrom }: FoundRemovals): void {
    const decided = Math.max(this.#judged, Math.min(horizon, waitFrom))
    // What begins later is found again, with more of the text behind it.
    this.#remove(removals.filter(({ start }) => start < decided))
    this.#judged = Math.max(decided, this.#removals.at(-1)?.end ?? 0)
  }

  #isClean(): boolean {
    const { policies, judging, json } = this.#options
    judging.pace.charge(this.#cleanAccount)
    if (!areClean([{ text: this.#text, json }], sortPolicies(policies).finders, judging.pace)) return false
    for (const policy of policies) judging.sheet.pass(policy)
    return true
  }

  async #findRemovals(horizon: number, isLast: boolean): Promise<FoundRemovals> {
    const { policies, judging, json } = this.#options
    const { pace, sheet } = judging
    const removals: Removal[] = []
    let waitFrom = horizon
    pace.charge({ usedMs: 0 })
    if (pace.isDue()) await pace.rest()
    const reading = readText({ text: this.#text, json }, pace)
    const look = new Look(reading instanceof Promise ? await reading : reading, pace)
    for (const policy of policies) {
      if (policy.judge.looksAt !== 'text') continue
      try {
        pace.charge(this.#accountOf(policy))
        const looking = look.findFor(policy.judge)
        const found = Array.isArray(looking) ? looking : await looking
        if (pace.isDue()) await pace.rest()
        const { decided, undecidedFrom } = this.#decide(policy, policy.judge.restore, found, horizon, isLast)
        removals.push(...decided)
        waitFrom = Math.min(waitFrom, undecidedFrom)
        sheet.pass(policy)
      } catch {
        sheet.failed(policy)
      }
    }
    return { removals, waitFrom }
  }

  /** What must go of what a policy has found, and from where on that cannot be told yet. */
  #decide(
    policy: CompiledPolicy,
    restore: boolean,
    found: readonly Finding[],
    horizon: number,
    isLast: boolean,
  ): { decided: Removal[]; undecidedFrom: number } {
    const decided: Removal[] = []
    let undecidedFrom = horizon
    for (const finding of found) {
      const start = finding.start + this.#base
      const end = finding.end + this.#base
      if (end <= this.#judged) continue
      if (!isLast && start >= this.#judged && this.#mayGrow(start, end, horizon)) {
        undecidedFrom = Math.min(undecidedFrom, start)
        continue
      }
      this.#options.judging.sheet.violated(policy, describeFinding(finding))
      if (policy.action === 'redact') decided.push({ ...finding, start, end, restore })
      // Of a long one, the rest must still be known for what it is.
      if (end > horizon) this.#unfinishedFrom = Math.min(this.#unfinishedFrom, start)
    }
    return { decided, undecidedFrom }
  }

  #accountOf(policy: CompiledPolicy): Account {
    const account = this.#accounts.get(policy) ?? { usedMs: 0 }
    this.#accounts.set(policy, account)
    return account
  }

  #mayGrow(start: number, end: number, horizon: number): boolean {
    return end > horizon && this.length - start < mostPatience * this.#options.holdBackChars
  }

  /** What was let go cannot be taken back: of a finding that began there, the rest is taken out. */
  #remove(removals: readonly Removal[]): void {
    const { judging, json } = this.#options
    const last = this.#removals.at(-1)?.end ?? 0
    const from = Math.max(this.#judged, last)
    const fresh: Removal[] = []
    // Of a long one, a later stride finds the rest once more: as one, lest that be taken for another that begins there.
    for (const removal of mergeOverlaps([...removals])) {
      // It goes on right behind a placeholder, which then stands for all of it.
      if (removal.start < from && last === from) {
        if (removal.end > from) this.#removals.push({ start: from, end: removal.end, replacement: '' })
      } else if (removal.end > from) {
        const start = Math.max(from, removal.start) - this.#base
        fresh.push({ ...removal, start, end: removal.end - this.#base })
      }
    }
    if (fresh.length === 0) return
    judging.redactions.notice(this.#text)
    for (const edit of judging.redactions.remove(fresh, { text: this.#text, json }))
      this.#removals.push(this.#toAbsolute(edit))
  }

  #clear(isLast: boolean): void {
    const { judging, json, holds } = this.#options
    const { redactions } = judging
    let until = holds ? this.#judged : this.length
    if (redactions.canRestore) {
      if (!isLast) until = Math.min(until, this.#base + redactions.findUnfinished(this.#text))
      const restored = redactions
        .restore({ text: this.#text, json }, Math.max(0, this.#cleared - this.#base))
        .map((edit) => this.#toAbsolute(edit))
      // Nothing is cut through.
      for (const { start, end } of restored) if (start < until && until < end) until = start
      this.#restored.push(...restored.filter(({ end }) => end <= until))
    }
    this.#cleared = Math.max(this.#cleared, until)
  }

  #toAbsolute(edit: Edit): Edit {
    return { ...edit, start: edit.start + this.#base, end: edit.end + this.#base }
  }

  /** A stretch of it as the caller may see it; null when that is as it came. */
  read(from: number, to: number): string | null {
    if (this.#removals.length + this.#restored.length === 0) return null
    return this.#apply(combineEdits(this.#removals, this.#restored), from, to)
  }

  /** The same before anything was given back, with a little of what stands before it. */
  readJudged(from: number, to: number): string {
    const start = Math.max(this.#base, from - contextChars)
    return this.#apply(this.#removals, start, to) ?? this.#slice(start, to)
  }

  #apply(edits: readonly Edit[], from: number, to: number): string | null {
    const touched = edits.filter(({ start, end }) => start < to && end > from)
    if (touched.length === 0) return null
    const pieces: string[] = []
    let at = from
    for (const { start, end, replacement } of touched) {
      pieces.push(this.#slice(at, start))
      // What stretches over several pieces has its replacement in the first.
      if (start >= from) pieces.push(replacement)
      at = Math.max(at, end)
    }
    pieces.push(this.#slice(at, to))
    return pieces.join('')
  }

  #slice(from: number, to: number): string {
    return from < to ? this.#text.slice(from - this.#base, to - this.#base) : ''
  }

  /** Forgets what everyone has seen. */
  trim(seen: number): void {
    const judged = this.#options.policies.length > 0 ? this.#judged : seen
    const needed = this.length - this.#unfinishedFrom < reach ? this.#unfinishedFrom : judged
    const base = Math.min(seen, judged, needed) - contextChars
    // Not with every word: each time, the text is copied.
    if (base - this.#base < contextChars) return
    this.#text = this.#text.slice(base - this.#base)
    this.#base = base
    const isRecent = ({ end }: Edit) => end > base
    this.#removals = this.#removals.filter(isRecent)
    this.#restored = this.#restored.filter(isRecent)
  }
}

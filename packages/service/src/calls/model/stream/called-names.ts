import type { StreamJudge } from '../../../policies/index.js'
import type { ToolNamePiece } from '../../../providers/index.js'

/** Marks events that are held while the name of a tool in them may continue. */
export interface OpenNames {
  isOpen: boolean
}

/** Far more tool calls than any model makes in one answer. */
const maxCalls = 1_024

/** The longest name of a tool. What follows is judged as a new name. */
const maxNameChars = 1_024

/** How many characters may be held while names continue. About 20,000 pieces of arguments, if each repeats the name. */
const maxOpenChars = 8 * 1024 * 1024
/** The memory of an event beside its text. */
const eventChars = 256

/**
 * Assembles names of tools that arrive in pieces. A name is held and judged as a whole once an event does not continue it. Each piece must
 * also be permitted by itself, because some clients take the last piece for the whole name.
 */
export class CalledNames {
  readonly #judge: StreamJudge
  /** The id and the name so far of each tool call, by its number. */
  // Bounded: 1,024 for a stream; more, or more than 8 Mi characters that wait for one, fail all policies.
  readonly #names = new Map<string, { id: string | null; text: string }>()
  // Bounded: part of the names.
  readonly #openToolCalls = new Set<string>()
  #open: OpenNames = { isOpen: false }
  #openChars = 0

  constructor(judge: StreamJudge) {
    this.#judge = judge
  }

  /** Adds the pieces of an event. Returns null when the event need not be held. */
  add(pieces: readonly ToolNamePiece[], chars: number): OpenNames | null {
    this.close(pieces)
    if (pieces.length === 0) return null
    const aliases: string[] = []
    for (const { call, id, text } of pieces) {
      const before = this.#names.get(call) ?? { id, text: '' }
      aliases.push(text, before.text + text)
      // Some providers repeat the name with each piece of the arguments, or give all tool calls the same number.
      const isOther =
        text === before.text ||
        (id !== null && before.id !== null && id !== before.id) ||
        before.text.length > maxNameChars
      this.#names.set(call, { id: id ?? before.id, text: isOther ? text : before.text + text })
      this.#openToolCalls.add(call)
    }
    this.#judge.judgeTools({ names: [], aliases, isReadable: true })
    this.#openChars += chars + eventChars
    if (this.#names.size > maxCalls || this.#openChars > maxOpenChars) {
      this.#giveUp()
      return null
    }
    if (!this.#open.isOpen) this.#open = { isOpen: true }
    return this.#open
  }

  /** Judges the names that the pieces do not continue. */
  close(pieces: readonly ToolNamePiece[]): void {
    if (this.#openToolCalls.size === 0) return
    // Bounded: 1,024 for a stream; more, or more than 8 Mi characters that wait for one, fail all policies.
    const names: string[] = []
    for (const call of this.#openToolCalls) {
      if (pieces.some((piece) => piece.call === call)) continue
      names.push(this.#names.get(call)?.text ?? '')
      this.#openToolCalls.delete(call)
    }
    this.#judge.judgeTools({ names, aliases: [], isReadable: true })
    if (this.#openToolCalls.size === 0) this.#release()
  }

  /** Fails all policies and releases the events, because the names cannot be held any longer. */
  #giveUp(): void {
    this.#judge.failUnreadable()
    this.#names.clear()
    this.#openToolCalls.clear()
    this.#release()
  }

  #release(): void {
    this.#open.isOpen = false
    this.#openChars = 0
  }
}

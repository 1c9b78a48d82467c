import type { StreamJudge } from '../../modules/policies/index.js'
import type { ToolNamePiece } from '../../providers/index.js'

/** Events wait while the name of a tool in them may go on. */
export interface OpenNames {
  isOpen: boolean
}

/** Far more than any model calls in one answer. */
const maxCalls = 1_024

/**
 * Names of tools that come in pieces. Each is judged when the next event does not continue it, together with what came before:
 * until then nobody may see it. A piece alone must not be denied either, since some clients take the last for the whole.
 */
export class CalledNames {
  readonly #judge: StreamJudge
  /** By the number of a call: its id, and all of the name that came. */
  readonly #names = new Map<string, { id: string | null; text: string }>()
  readonly #openCalls = new Set<string>()
  #open: OpenNames = { isOpen: false }

  constructor(judge: StreamJudge) {
    this.#judge = judge
  }

  /** The pieces of an event. Null where it need not wait. */
  add(pieces: readonly ToolNamePiece[]): OpenNames | null {
    this.close(pieces)
    if (pieces.length === 0) return null
    const aliases: string[] = []
    for (const { call, id, text } of pieces) {
      const before = this.#names.get(call) ?? { id, text: '' }
      aliases.push(text, before.text + text)
      // Some providers repeat the name with each piece of the arguments, or give all calls the same number.
      const isOther = text === before.text || (id !== null && before.id !== null && id !== before.id)
      this.#names.set(call, { id: id ?? before.id, text: isOther ? text : before.text + text })
      this.#openCalls.add(call)
    }
    if (this.#names.size > maxCalls) this.#judge.failUnreadable()
    this.#judge.judgeTools({ names: [], aliases, isReadable: true })
    if (!this.#open.isOpen) this.#open = { isOpen: true }
    return this.#open
  }

  /** Judges the names that do not go on. */
  close(pieces: readonly ToolNamePiece[]): void {
    if (this.#openCalls.size === 0) return
    const names: string[] = []
    for (const call of this.#openCalls) {
      if (pieces.some((piece) => piece.call === call)) continue
      names.push(this.#names.get(call)?.text ?? '')
      this.#openCalls.delete(call)
    }
    this.#judge.judgeTools({ names, aliases: [], isReadable: true })
    if (this.#openCalls.size === 0) this.#open.isOpen = false
  }
}

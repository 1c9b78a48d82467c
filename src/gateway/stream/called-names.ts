import type { StreamJudge } from '../../modules/policies/index.js'
import type { ToolNamePiece } from '../../providers/index.js'

/** Events wait while the name of a tool in them may go on. */
export interface OpenNames {
  isOpen: boolean
}

/** Far more than any model calls in one answer. */
const maxCalls = 1_024

/** No name is as long: what comes after is judged by itself. */
const maxNameChars = 1_024

/** What may wait while names go on. Some 20,000 pieces of arguments, where each repeats the name. */
const maxOpenChars = 8 * 1024 * 1024
/** What an event takes beside its text. */
const eventChars = 256

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
  #openChars = 0

  constructor(judge: StreamJudge) {
    this.#judge = judge
  }

  /** The pieces of an event of so many characters. Null where it need not wait. */
  add(pieces: readonly ToolNamePiece[], chars: number): OpenNames | null {
    this.close(pieces)
    if (pieces.length === 0) return null
    const aliases: string[] = []
    for (const { call, id, text } of pieces) {
      const before = this.#names.get(call) ?? { id, text: '' }
      aliases.push(text, before.text + text)
      // Some providers repeat the name with each piece of the arguments, or give all calls the same number.
      const isOther =
        text === before.text ||
        (id !== null && before.id !== null && id !== before.id) ||
        before.text.length > maxNameChars
      this.#names.set(call, { id: id ?? before.id, text: isOther ? text : before.text + text })
      this.#openCalls.add(call)
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
    if (this.#openCalls.size === 0) this.#release()
  }

  /** No policy has judged them, and where policies let that pass, events must not wait for names without end. */
  #giveUp(): void {
    this.#judge.failUnreadable()
    this.#names.clear()
    this.#openCalls.clear()
    this.#release()
  }

  #release(): void {
    this.#open.isOpen = false
    this.#openChars = 0
  }
}

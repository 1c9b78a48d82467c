import { genesisPrev, type RecordHead } from '../format/chain.js'
import { type ExportHeader, type ExportLine, readExportLine } from '../format/export-format.js'
import { CompactRange } from '../format/merkle/tree.js'
import {
  type Checkpoint,
  canHaveRecord,
  createCheckpointVerifiers,
  verifyCheckpoint,
} from '../format/signing/checkpoint.js'
import { type PublicKey, readPublicJwk } from '../format/signing/public-key.js'
import { type Fault, type FaultKind, UnusableInputError } from './fault.js'
import { type AcceptedEntry, RecordVerifier } from './record-verifier.js'

export interface ExportVerifierOptions {
  /** Chooses the trusted keys from those in the header. Default: all of them. */
  trust?(listed: readonly PublicKey[]): readonly PublicKey[]
  /** Earlier checkpoints. The export must agree with each of them and be at least as long. */
  pinned?: readonly string[]
  onEntry?(entry: AcceptedEntry): void
  /** Called for each valid seal. */
  onSeal?(seal: { size: number; keyIds: string[] }): void
}

export interface ExportReport {
  header: ExportHeader
  fault: Fault | null
  /** The number of entries before the first fault. */
  entries: number
  /** The number of those that a verified seal covers. */
  sealed: number
  seals: number
  /** The thumbprints of the keys whose seals are valid. */
  keyIds: string[]
  /** Where the next export of this record must start. */
  end: RecordHead
}

interface Pin {
  note: string
  checkpoint: Checkpoint
}

/** Verifies an export line by line, in constant memory, and stops at the first fault. */
export class ExportVerifier {
  readonly #options: ExportVerifierOptions
  #header: ExportHeader | null = null
  #record: RecordVerifier | null = null
  #pins: Pin[] = []
  #lines = 0
  #entries = 0
  #seals = 0
  #ended = false
  #fault: Fault | null = null

  constructor(options: ExportVerifierOptions = {}) {
    this.#options = options
  }

  /** The number of the last entry that was accepted. */
  get seq(): number {
    return this.#record?.size ?? 0
  }

  get fault(): Fault | null {
    return this.#fault ?? this.#record?.fault ?? null
  }

  /** Adds a line without its line break. Null for a line that is not valid UTF-8. */
  addLine(text: string | null): void {
    if (this.fault !== null) return
    this.#lines++
    const line = text === null ? null : readExportLine(text)
    if (this.#header === null) this.#begin(line)
    else if (line === null) this.#refuseLine('is not a line of an export')
    else if (this.#ended) this.#refuseLine('comes after the end')
    else this.#add(line, this.#header)
  }

  /** Whether the end line was read. */
  get isEnded(): boolean {
    return this.#ended
  }

  /** Must be called when the file could not be read to its end, even if the end line was read. */
  reportDamage(reason: string): void {
    if (this.#ended && this.fault === null)
      this.#fail('damaged_file', this.seq + 1, `The compressed file is damaged after the end line: ${reason}`)
  }

  finish(): ExportReport {
    const header = this.#header
    const record = this.#record
    if (header === null || record === null) throw new UnusableInputError('The file is empty')
    const report = record.finish()
    if (this.fault === null) this.#checkCompleteness(header, report)
    const { chained: entries, sealed, keyIds } = report
    return { header, fault: this.fault, entries, sealed, seals: this.#seals, keyIds, end: record.head }
  }

  #add(line: ExportLine, header: ExportHeader): void {
    switch (line.type) {
      case 'tallystick-export':
        this.#refuseLine('is a second header')
        break
      case 'entry':
        this.#addEntry(line, header)
        break
      case 'seal':
        this.#addSeal(line)
        break
      case 'end':
        this.#ended = true
        this.#checkEnd(line, header)
    }
  }

  #begin(line: ExportLine | null): void {
    if (line?.type !== 'tallystick-export')
      throw new UnusableInputError('The first line is not the header of an export')
    if (!canHaveRecord(line.tenant)) throw new UnusableInputError('The header does not name a valid tenant')
    this.#header = line
    const start = this.#readStart(line)
    const listed = this.#readKeys(line)
    const keys = this.#options.trust?.(listed) ?? listed
    this.#record = new RecordVerifier({ tenant: line.tenant, keys: keys.map(({ jwk }) => jwk), start })
    if (line.fromSeq === 1 && line.prev !== genesisPrev(line.tenant).toString('hex'))
      this.#fail('broken_prev', 1, 'The header does not begin where a record of this tenant begins')
    this.#readPins(line, keys)
    this.#checkPins(line.fromSeq - 1)
  }

  #readStart({ fromSeq, prev, frontier }: ExportHeader) {
    try {
      const hashes = frontier.map((hash) => Buffer.from(hash, 'hex'))
      return { prev: Buffer.from(prev, 'hex'), range: CompactRange.fromHashes(fromSeq - 1, hashes) }
    } catch {
      throw new UnusableInputError(`The frontier in the header is not that of ${fromSeq - 1} entries`)
    }
  }

  #readKeys({ keys, fromSeq }: ExportHeader): PublicKey[] {
    try {
      const listed = keys.keys.map(readPublicJwk)
      // The id in the file must be that of the key, so that a reader who looks it up finds the key that was used here.
      if (listed.some(({ jwk }, i) => !isPartOf(keys.keys[i] ?? {}, { ...jwk })))
        this.#fail('malformed_line', fromSeq, 'Line 1 lists a key under members that are not its own')
      return listed
    } catch (error) {
      throw new UnusableInputError(`The keys in the header cannot be read: ${String(error)}`)
    }
  }

  #readPins({ tenant, fromSeq }: ExportHeader, keys: readonly PublicKey[]): void {
    const verifiers = createCheckpointVerifiers(tenant, keys)
    for (const note of this.#options.pinned ?? []) {
      const verdict = verifyCheckpoint(note, tenant, verifiers)
      if (verdict.ok) {
        if (verdict.checkpoint.size < fromSeq - 1)
          throw new UnusableInputError(
            `The pinned checkpoint covers ${verdict.checkpoint.size} entries, and the export begins after those`,
          )
        this.#pins.push({ note, checkpoint: verdict.checkpoint })
      } else if (verdict.fault === 'unknown_key') {
        this.#fail(
          'unknown_key',
          fromSeq,
          'The pinned checkpoint is signed by a key that is not among those of this export: a key was swapped or left out',
        )
      } else {
        const words = {
          malformed: 'is not a signed checkpoint',
          wrong_origin: 'belongs to another record',
          bad_signature: 'carries a signature that does not verify',
        }
        throw new UnusableInputError(`The pinned checkpoint ${words[verdict.fault]}`)
      }
    }
  }

  /** A pinned checkpoint is checked like a seal after the entry of its size. */
  #checkPins(size: number): void {
    for (const { note, checkpoint } of this.#pins)
      if (checkpoint.size === size) this.#record?.addSeal({ size, note })
  }

  #addEntry(line: { seq: number; canonical: string }, { toSeq }: ExportHeader): void {
    const accepted = this.#record?.addEntry(line)
    this.#entries++
    if (!accepted) return
    this.#options.onEntry?.(accepted)
    if (line.seq > toSeq) this.#fail('miscount', line.seq, `The header says that the export ends at ${toSeq}`)
    this.#checkPins(line.seq)
  }

  #addSeal(line: { size: number; note: string }): void {
    this.#seals++
    const keyIds = this.#record?.addSeal(line)
    if (keyIds) this.#options.onSeal?.({ size: line.size, keyIds })
  }

  #checkEnd({ entries, seals }: { entries: number; seals: number }, { toSeq }: ExportHeader): void {
    const last = this.seq
    if (last < toSeq)
      this.#fail(
        'gap',
        last + 1,
        `Entry ${last + 1} is missing: the header says that the export ends at ${toSeq}`,
      )
    else if (entries !== this.#entries || seals !== this.#seals)
      this.#fail(
        'miscount',
        last,
        `The end line counts ${entries} entries and ${seals} seals; there are ${this.#entries} and ${this.#seals}`,
      )
  }

  #checkCompleteness(
    { fromSeq }: ExportHeader,
    { chained, sealed }: { chained: number; sealed: number },
  ): void {
    const next = this.seq + 1
    const beyond = this.#pins.find(({ checkpoint }) => checkpoint.size >= next)
    if (!this.#ended)
      this.#fail('cut_off', next, `The file breaks off before entry ${next}: it has no end line`)
    else if (sealed < chained)
      this.#fail(
        'unsealed',
        fromSeq + sealed,
        `Entry ${fromSeq + sealed} and those after it are under no seal`,
      )
    else if (beyond)
      this.#fail(
        'cut_off',
        next,
        `Entry ${next} is cut off: a pinned checkpoint covers ${beyond.checkpoint.size}`,
      )
  }

  #refuseLine(words: string): void {
    this.#fail(
      'malformed_line',
      this.seq + 1,
      `Line ${this.#lines}, where entry ${this.seq + 1} could be, ${words}`,
    )
  }

  #fail(kind: FaultKind, seq: number, message: string): void {
    this.#fault ??= { kind, seq, message }
  }
}

function isPartOf(part: object, whole: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(part).every(([name, value]) => whole[name] === value)
}

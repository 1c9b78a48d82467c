import { genesisHead, type RecordHead } from '../format/chain.js'
import { entryFormat } from '../format/entry.js'
import { type CompactRange, HASH_BYTES, leafHash } from '../format/merkle/tree.js'
import {
  type CheckpointVerdict,
  createCheckpointVerifiers,
  readCheckpoint,
  verifyCheckpoint,
} from '../format/signing/checkpoint.js'
import type { NoteVerifier } from '../format/signing/note.js'
import { readPublicJwk, type UntrustedJwk } from '../format/signing/public-key.js'
import { isPlainObject, parseCanonical } from '../json/index.js'
import type { Fault, FaultKind } from './fault.js'

export interface RecordVerifierOptions {
  tenant: string
  /** The trusted keys. A seal names the one that signed it. */
  keys: readonly UntrustedJwk[]
  /** The head to begin after. Default: the genesis. The first valid seal confirms it. */
  start?: { prev: Uint8Array; range: CompactRange }
}

export interface RecordReport {
  fault: Fault | null
  /** The number of entries before the first fault. */
  chained: number
  /** The number of those that a verified seal covers. */
  sealed: number
  /** The thumbprints of the keys whose seals are valid. */
  keyIds: string[]
}

export interface AcceptedEntry {
  fields: Readonly<Record<string, unknown>>
  leafHash: Buffer
}

interface UnchainedEntry {
  claimedPrev: string
  leaf: Buffer
}

const SEAL_FAULTS = {
  malformed: { kind: 'malformed_seal', words: 'is not a signed checkpoint' },
  wrong_origin: { kind: 'wrong_tenant', words: 'belongs to another record' },
  unknown_key: { kind: 'unknown_key', words: 'is signed by none of the trusted keys' },
  bad_signature: { kind: 'bad_signature', words: 'carries a signature that does not verify' },
} as const

/**
 * Verifies a record from its first entry on and stops at the first fault. It does not use a database.
 *
 * A seal covers all entries before it, so a caller may add only some of the seals to save time: checking a signature takes as long as
 * checking about ten entries. Entries after the last seal that was added do not count as sealed.
 */
export class RecordVerifier {
  readonly #tenant: string
  readonly #verifiers: NoteVerifier[]
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #keyIds = new Set<string>()
  /** The keys that entries report as compromised. A key is retired before such an entry is written, so its later seals are not valid. */
  readonly #compromised = new Set<unknown>()
  readonly #startSize: number
  /** All accepted entries except the newest, which the next entry or a seal has to confirm. */
  readonly #confirmed: CompactRange
  #unconfirmed: Buffer | null = null
  #prev: Buffer
  #size: number
  #sealedSize: number
  /** An entry that is not chained to the newest one. It is kept until it is clear which of the two is wrong. */
  #undecided: UnchainedEntry | null = null
  #fault: Fault | null = null

  constructor({ tenant, keys, start }: RecordVerifierOptions) {
    const { prev, range } = start ?? genesisHead(tenant)
    this.#tenant = tenant
    this.#verifiers = createCheckpointVerifiers(tenant, keys.map(readPublicJwk))
    this.#confirmed = range.copy()
    this.#prev = Buffer.from(prev)
    this.#size = range.size
    this.#startSize = range.size
    this.#sealedSize = range.size
  }

  /** The seq of the last accepted entry. */
  get size(): number {
    return this.#size
  }

  get fault(): Fault | null {
    return this.#fault
  }

  /** Returns the head after the accepted entries, from which another verifier can continue. */
  get head(): RecordHead {
    const range = this.#confirmed.copy()
    if (this.#unconfirmed !== null) range.append(this.#unconfirmed)
    return { tenant: this.#tenant, prev: this.#prev, range }
  }

  /** Null once there is a fault, or while it is not clear which of two entries is wrong. */
  addEntry({ seq, canonical }: { seq: number; canonical: string | Uint8Array }): AcceptedEntry | null {
    if (this.#fault !== null) return null
    if (this.#undecided !== null) return this.#decide(this.#isChainedTo(this.#undecided.leaf, canonical))
    const expected = this.#size + 1
    if (seq !== expected) return this.#refuseSeq(seq)
    const fields = this.#parse(canonical)
    if (fields === null) return this.#refuse('not_canonical', expected, 'is not a canonical JSON object')
    if (fields.v !== entryFormat)
      return this.#refuse('unknown_version', expected, 'is of a version unknown here')
    if (fields.tenant !== this.#tenant) return this.#refuse('wrong_tenant', expected, 'names another tenant')
    const isChained = fields.prev === this.#prev.toString('hex')
    if (fields.seq !== expected) {
      // An entry that is chained here but has another number was edited. Otherwise it is a different entry.
      if (isChained || typeof fields.seq !== 'number') {
        return this.#refuse('changed', expected, 'has another seq in its bytes')
      }
      return this.#refuseSeq(fields.seq)
    }
    const leaf = leafHash(canonical)
    if (!isChained) return this.#refusePrev(fields.prev, leaf)
    this.#confirm()
    this.#unconfirmed = leaf
    this.#prev = leaf
    this.#size = expected
    if (fields.kind === 'control' && fields.event === 'signing_key.compromise')
      this.#compromised.add(fields.subject)
    return { fields, leafHash: leaf }
  }

  /** Returns the ids of the keys that signed the seal. Null when it is not valid. */
  addSeal({ size, note }: { size: number; note: string }): string[] | null {
    if (this.#fault !== null) return null
    const verdict = verifyCheckpoint(note, this.#tenant, this.#verifiers)
    if (this.#undecided !== null) {
      this.#decide(this.#isSealedAsClaimed(this.#undecided, verdict))
    } else if (!verdict.ok) {
      const { kind, words } = SEAL_FAULTS[verdict.fault]
      const more = kind === 'unknown_key' ? this.#describeUnknownKey(size, note) : ''
      this.#fail(kind, size, `The seal at ${size} ${words}${more}`)
    } else if (verdict.checkpoint.size !== size || size < this.#size) {
      this.#fail('misplaced_seal', size, `The seal at ${size} does not belong after entry ${this.#size}`)
    } else if (size > this.#size) {
      this.#refuse('gap', this.#size + 1, `is missing: a seal covers entries up to ${size}`)
    } else if (verdict.keyIds.every((id) => this.#compromised.has(id))) {
      this.#fail(
        'compromised_key',
        size,
        `The seal at ${size} is signed by a key that an earlier entry reports as compromised`,
      )
    } else {
      this.#confirm()
      this.#checkRoot(verdict)
      if (this.#fault === null) return verdict.keyIds
    }
    return null
  }

  finish(): RecordReport {
    if (this.#undecided !== null) this.#decide(false)
    return {
      fault: this.#fault,
      chained: this.#size - this.#startSize,
      sealed: this.#sealedSize - this.#startSize,
      keyIds: [...this.#keyIds],
    }
  }

  #checkRoot({ checkpoint, keyIds }: Extract<CheckpointVerdict, { ok: true }>): void {
    if (!this.#confirmed.root().equals(checkpoint.root)) {
      const first = this.#sealedSize + 1
      this.#fail(
        'bad_root',
        this.#size,
        `Entries ${first} to ${this.#size} are not the ones that were sealed`,
      )
      return
    }
    this.#sealedSize = this.#size
    for (const id of keyIds) this.#keyIds.add(id)
  }

  // The message says whether the entries agree with the seal, so that a user with the wrong keys knows that they do. It proves nothing
  // more, because someone who replaced the key may have changed the entries as well.
  #describeUnknownKey(size: number, note: string): string {
    return size === this.#size && readCheckpoint(note)?.root.equals(this.head.range.root())
      ? ', though the entries agree with it: its key was left out, or someone else sealed the record again'
      : ', and the entries do not agree with it either'
  }

  #confirm(): void {
    if (this.#unconfirmed !== null) this.#confirmed.append(this.#unconfirmed)
    this.#unconfirmed = null
  }

  // Either the prev of this entry or the previous entry was edited. A verified seal over the previous entry rules out the latter. Otherwise
  // a later entry that is chained to this one, or a seal over it, shows that this entry is unchanged.
  #refusePrev(claimedPrev: unknown, leaf: Buffer): null {
    if (this.#unconfirmed !== null && typeof claimedPrev === 'string') {
      this.#undecided = { claimedPrev, leaf }
      return null
    }
    return this.#refuseBrokenPrev()
  }

  #decide(isUndecidedRight: boolean): null {
    this.#undecided = null
    if (!isUndecidedRight) return this.#refuseBrokenPrev()
    const changed = this.#size
    this.#size = changed - 1
    return this.#refuse('changed', changed, `is not the one that entry ${changed + 1} was chained to`)
  }

  #isChainedTo(leaf: Buffer, canonical: string | Uint8Array): boolean {
    return this.#parse(canonical)?.prev === leaf.toString('hex')
  }

  #isSealedAsClaimed({ claimedPrev, leaf }: UnchainedEntry, verdict: CheckpointVerdict): boolean {
    const claimed = Buffer.from(claimedPrev, 'hex')
    // Buffer.from ignores invalid characters.
    if (!verdict.ok || claimed.length !== HASH_BYTES || claimed.toString('hex') !== claimedPrev) return false
    const range = this.#confirmed.copy()
    range.append(claimed)
    range.append(leaf)
    return verdict.checkpoint.size === range.size && verdict.checkpoint.root.equals(range.root())
  }

  #parse(canonical: string | Uint8Array): Record<string, unknown> | null {
    const value = parseCanonical(typeof canonical === 'string' ? canonical : this.#decode(canonical))
    return typeof value === 'object' && value !== null && isPlainObject(value) ? value : null
  }

  // Bytes that are not UTF-8 become the empty text, which is not canonical JSON.
  #decode(bytes: Uint8Array): string {
    try {
      return this.#utf8.decode(bytes)
    } catch {
      return ''
    }
  }

  #refuseSeq(seq: number): null {
    return seq <= this.#size
      ? this.#refuse('repeat', seq, 'appears again')
      : this.#refuse('gap', this.#size + 1, `is missing: entry ${seq} stands in its place`)
  }

  #refuseBrokenPrev(): null {
    return this.#refuse('broken_prev', this.#size + 1, 'is not chained to the entry before it')
  }

  #refuse(kind: FaultKind, seq: number, words: string): null {
    return this.#fail(kind, seq, `Entry ${seq} ${words}`)
  }

  #fail(kind: FaultKind, seq: number, message: string): null {
    this.#fault = { kind, seq, message }
    return null
  }
}

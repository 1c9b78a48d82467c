import type { Finding } from '@tallystick/record/verdict'

/** Members of a receipt, of a proof or of a key, as the API answers them. */
export type Fields = Readonly<Record<string, unknown>>

export interface ReceiptClaim {
  /** `GET /v1/compliance/receipts/{seq}` */
  receipt: Fields
  /** `GET /v1/compliance/receipts/{seq}/proof` */
  proof: Fields
  /** `GET /.well-known/tallystick/jwks.json` */
  keys: readonly Fields[]
  /** What the page shows of the call, by the names of the receipt: it must be what was hashed. */
  shown?: Fields
}

export interface ReceiptFacts {
  tenant: string
  seq: number
  /** Entries under the checkpoint. */
  size: number
  /** Hashes from the receipt to the root that was signed. */
  hashes: number
  /** Thumbprints of the keys that signed it. */
  keyIds: string[]
}

export type ReceiptVerdict =
  | ({ ok: true } & ReceiptFacts)
  /** `kind` is one of the faults that `tallystick verify` reports. */
  | { ok: false; kind: string; message: string }

export interface FilesVerdict {
  /** As `tallystick verify` says it; `unusable` where the files cannot be checked. */
  verdict: 'verified' | 'consistent' | 'fault' | 'unusable'
  findings: Finding[]
  /** What the command prints, word for word. */
  text: string
}

/** A `File` as it is sent to the worker: Node's own, in tests, loses its name on the way. */
export interface NamedFile {
  name: string
  content: Blob
}

export interface FilesProgress {
  readBytes: number
  totalBytes: number
  /** The last entry that was accepted. */
  seq: number
}

export type Question =
  | { id: number; about: 'receipt'; claim: ReceiptClaim }
  | { id: number; about: 'files'; files: readonly NamedFile[]; keys: readonly Fields[]; costs: boolean }

export type Answer =
  | { id: number; about: 'receipt'; verdict: ReceiptVerdict }
  | { id: number; about: 'files'; verdict: FilesVerdict }
  | { id: number; about: 'progress'; progress: FilesProgress }
  | { id: number; about: 'failure'; message: string }

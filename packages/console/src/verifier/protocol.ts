import type { Finding } from '@tallystick/record/verdict'

/** Members of a receipt, proof or key, as the API returns them. */
export type Fields = Readonly<Record<string, unknown>>

export interface ReceiptClaim {
  /** `GET /v1/compliance/receipts/{seq}` */
  receipt: Fields
  /** `GET /v1/compliance/receipts/{seq}/proof` */
  proof: Fields
  /** `GET /.well-known/tallystick/jwks.json` */
  keys: readonly Fields[]
  /** The values that the page shows, keyed by receipt members; they must match the hashed receipt. */
  shown?: Fields
}

export interface ReceiptFacts {
  tenant: string
  seq: number
  /** The number of entries under the checkpoint. */
  size: number
  /** The number of hashes from the receipt to the signed root. */
  hashes: number
  /** The thumbprints of the signing keys. */
  keyIds: string[]
}

export type ReceiptVerdict =
  | ({ ok: true } & ReceiptFacts)
  /** `kind` is one of the faults that `tallystick verify` reports. */
  | { ok: false; kind: string; message: string }

export interface FilesVerdict {
  /** The verdict of `tallystick verify`; `unusable` if the files cannot be checked. */
  verdict: 'verified' | 'consistent' | 'fault' | 'unusable'
  findings: Finding[]
  /** The exact output of the command. */
  text: string
}

/** A `File` for the worker. In tests, Node's `File` loses its name when it is posted. */
export interface NamedFile {
  name: string
  content: Blob
}

export interface FilesProgress {
  readBytes: number
  totalBytes: number
  /** The number of the last accepted entry. */
  seq: number
}

export type VerifierRequest =
  | { id: number; about: 'receipt'; claim: ReceiptClaim }
  | { id: number; about: 'files'; files: readonly NamedFile[]; keys: readonly Fields[]; costs: boolean }

export type VerifierResponse =
  | { id: number; about: 'receipt'; verdict: ReceiptVerdict }
  | { id: number; about: 'files'; verdict: FilesVerdict }
  | { id: number; about: 'progress'; progress: FilesProgress }
  | { id: number; about: 'failure'; message: string }

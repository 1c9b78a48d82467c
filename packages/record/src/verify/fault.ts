/** The check is not possible, because the input is not an export, a proof or a key, or because the inputs do not belong together. */
export class UnusableInputError extends Error {}

/** The faults of a record or an export. */
export type FaultKind =
  /** The bytes are not those that the next entry was chained to. */
  | 'changed'
  /** The bytes are not the canonical form of a JSON object. */
  | 'not_canonical'
  | 'unknown_version'
  | 'wrong_tenant'
  /** The expected entry is missing or at another position, or a seal covers more entries than there are. */
  | 'gap'
  | 'repeat'
  | 'broken_prev'
  /** Chain and signature are valid, but the entries are not the ones that were sealed. */
  | 'bad_root'
  | 'bad_signature'
  /** The seal was signed by a key that is not trusted. */
  | 'unknown_key'
  /** The seal was signed only by keys that an earlier entry reports as compromised. */
  | 'compromised_key'
  | 'malformed_seal'
  /** The seal has another size than its line says, or follows entries that it does not cover. */
  | 'misplaced_seal'
  /** A line is not in the format of an export. */
  | 'malformed_line'
  /** A compressed file is damaged after the end line, or something else follows it. */
  | 'damaged_file'
  /** The export has no end line, or ends before the size of a pinned checkpoint. */
  | 'cut_off'
  /** The counts in the header or in the end line are wrong. */
  | 'miscount'
  /** No seal covers the entry. */
  | 'unsealed'

export interface Fault {
  kind: FaultKind
  /** The first wrong entry. For a fault of a seal, the last entry under it. */
  seq: number
  message: string
}

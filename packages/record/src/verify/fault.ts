/** The check is not possible: the input is not an export, a proof or a key, or the parts do not belong together. */
export class UnusableInputError extends Error {}

/** What can be wrong with a record, or with an export of one. */
export type FaultKind =
  /** The bytes are not those that the next entry was chained to. */
  | 'changed'
  /** The bytes are not the canonical form of a JSON object. */
  | 'not_canonical'
  | 'unknown_version'
  | 'wrong_tenant'
  /** The entry that belongs here is missing, or stands elsewhere; or a seal covers more entries than there are. */
  | 'gap'
  | 'repeat'
  | 'broken_prev'
  /** Chain and signature hold, but the entries are not the ones that were sealed. */
  | 'bad_root'
  | 'bad_signature'
  /** Signed by a key that is not trusted: lost, swapped, or not given. */
  | 'unknown_key'
  /** Signed only by keys that an earlier entry reports as compromised. */
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
  /** The first entry that is wrong; for a fault of a seal, the last entry under it. */
  seq: number
  message: string
}

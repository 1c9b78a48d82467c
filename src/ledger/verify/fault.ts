/** What can be wrong with a record, or with an export of one. */
export type FaultKind =
  /** The bytes are not those that the next entry was chained to. */
  | 'changed'
  /** The bytes are not the canonical form of a JSON object. */
  | 'not_canonical'
  | 'unknown_version'
  | 'wrong_tenant'
  /** The entry that belongs here is missing, out of place, or cut off below a seal. */
  | 'gap'
  | 'repeat'
  | 'broken_prev'
  /** Chain and signature hold, but the entries are not the ones that were sealed. */
  | 'bad_root'
  | 'bad_signature'
  /** Signed by a key that is not among the trusted ones: lost, swapped, or simply not handed in. */
  | 'unknown_key'
  | 'malformed_seal'
  /** A seal of another size than it is listed under, or listed after entries that it does not cover. */
  | 'misplaced_seal'
  /** A line of an export is none of its format. */
  | 'malformed_line'
  /** The export ends before its end, or below a checkpoint that was pinned. */
  | 'cut_off'
  /** The export does not hold what its header or its end says. */
  | 'miscount'
  /** No seal covers the entry. */
  | 'unsealed'

export interface Fault {
  kind: FaultKind
  /** The first entry that is wrong; for a fault of a seal, the last entry under it. */
  seq: number
  message: string
}

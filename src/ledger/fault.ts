/** What can be wrong with a record. */
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
  | 'unknown_key'
  | 'malformed_seal'
  /** A seal of another size than it is listed under, or listed after entries that it does not cover. */
  | 'misplaced_seal'

export interface Fault {
  kind: FaultKind
  /** The first entry that is wrong; for a fault of a seal, the last entry under it. */
  seq: number
  message: string
}

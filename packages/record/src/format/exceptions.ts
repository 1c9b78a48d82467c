/**
 * Events that limit what a record proves: sealed entries are missing, entries or keys were deleted, a signing key may be known to others,
 * or entries are made up for a demonstration. Attestations and the verifier report each of them.
 */
const exceptionEvents = [
  'record.restore',
  'record.drop',
  'commitments.erase',
  'signing_key.compromise',
  'demo.fill',
] as const

export type ExceptionEvent = (typeof exceptionEvents)[number]

export const isExceptionEvent = (event: unknown): event is ExceptionEvent =>
  exceptionEvents.some((each) => each === event)

/** An exception as an attestation reports it. Its members are those of the entry. */
export interface RecordException {
  seq: number
  ts: string
  event: ExceptionEvent
  subject: string
  by?: string
  reason?: string
  restore?: RestoreDetails
}

/** What is known of a restored record. */
export interface RestoreDetails {
  /** How many entries had been sealed before the restore. */
  sealedSize: number
  /** Root of the tree over them, in hex; absent where only the size is known. */
  sealedRoot?: string
  /** How many of them the record kept; absent where that is unknown. */
  keptSize?: number
  /** How many of them are missing; absent where that is unknown. It is at least one. */
  missingEntries?: number
  /** The locations of marks that were compared with the record. */
  asked: string[]
  /** An earlier entry about the same restore, which this one corrects. */
  corrects?: number
}

/** Reads the exception of an entry. Null for every other entry. */
export function readException(fields: Readonly<Record<string, unknown>>): RecordException | null {
  const { kind, seq, ts, event, subject, by, reason, restore } = fields
  if (kind !== 'control' || !isExceptionEvent(event)) return null
  return {
    seq: Number(seq),
    ts: String(ts),
    event,
    subject: String(subject),
    ...(typeof by === 'string' && { by }),
    ...(typeof reason === 'string' && { reason }),
    ...(isRestoreDetails(restore) && { restore }),
  }
}

function isRestoreDetails(value: unknown): value is RestoreDetails {
  return typeof value === 'object' && value !== null && 'sealedSize' in value && 'asked' in value
}

/** Describes an exception in one sentence, without a full stop. */
export function describeException(exception: RecordException): string {
  const { seq, ts, event, subject, by } = exception
  const source = `(entry ${seq}, ${ts}${by === undefined ? '' : `, by ${by}`})`
  switch (event) {
    case 'record.restore':
      return `${describeRestore(exception)} ${source}`
    case 'record.drop':
      return `Entries ${subject} were exported and dropped from the record ${source}`
    case 'commitments.erase':
      return `The keys to the commitments of some receipts before it were deleted on request: what those calls said can no longer be compared with the record ${source}`
    case 'signing_key.compromise':
      return `The signing key ${subject} was reported as compromised: what only its seals cover, somebody else may have written ${source}`
    case 'demo.fill':
      return `The entries that this record began with are made up, for a demonstration ${source}`
  }
}

function describeRestore({ restore, subject, reason }: RecordException): string {
  if (restore === undefined) return reason ?? `The database was restored; sealed before: ${subject}`
  const { sealedSize, sealedRoot, keptSize, missingEntries, corrects } = restore
  const root = sealedRoot === undefined ? '' : ` with the root ${sealedRoot}`
  const missing =
    missingEntries === undefined
      ? 'how many of these are missing is unknown, at least one'
      : `${missingEntries} of these ${missingEntries === 1 ? 'is' : 'are'} missing, those after entry ${keptSize}`
  const correction = corrects === undefined ? '' : `; this corrects what entry ${corrects} says`
  return `Sealed entries are missing: the database was restored to an earlier moment. ${sealedSize} entries had been sealed${root}; ${missing}${correction}`
}

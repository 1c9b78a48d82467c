// Clients show these texts verbatim. A change to one needs a new version.

export const attestationVersion = '1.0'

export const scope =
  'This attestation covers the calls that this tenant made through this Tallystick gateway in the stated period, and ' +
  'nothing else: a call made past the gateway leaves no receipt. As far as the totals say so, it states that the receipts in ' +
  'the record are unaltered since they were sealed, in order and numbered without gaps, and which checks ran on the calls. ' +
  'What the record itself says is missing, erased or in doubt is listed under exceptions; about entries that are missing it ' +
  'states nothing. An entry belongs to the period in which the record had come to it; times are those of the clock of the gateway.'

const disclaimer =
  'It does not state that any answer was right, that any policy was a good one, or that a check found all that it was meant ' +
  'to find. It is not legal advice, not a certificate and not an audit opinion.'

const afterErasure =
  'On request, the keys to the commitments of some receipts of this period were deleted: what those calls held ' +
  'can no longer be compared with the record. The receipts themselves, their order and all totals are untouched by that.'

const afterException: Record<string, string> = {
  'record.restore':
    'The database was restored to an earlier moment: entries that had been sealed are missing from the record, and the totals ' +
    'do not count them. The exceptions say when, and how many.',
  'record.drop': 'Older entries were exported and dropped from the record: the totals do not count them.',
  'signing_key.compromise':
    'A key that sealed this record was reported as compromised: entries that only its seals cover may have been written by ' +
    'somebody else.',
  'demo.fill': 'The entries that this record began with are made up, for a demonstration.',
}

/** Adds one sentence for each kind of exception, since this is the text that people read. */
export function writeDisclaimer(hasErasures: boolean, events: readonly string[]): string {
  const sentences = Object.entries(afterException).flatMap(([event, text]) =>
    events.includes(event) ? text : [],
  )
  return [disclaimer, ...(hasErasures ? [afterErasure] : []), ...sentences].join(' ')
}

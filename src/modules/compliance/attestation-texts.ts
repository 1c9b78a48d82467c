// Clients show these texts verbatim. A change to one needs a new version.

export const attestationVersion = '1.0'

export const scope =
  'This attestation covers the calls that this tenant made through this Tallystick gateway in the stated period, and ' +
  'nothing else: a call made past the gateway leaves no receipt. As far as the totals say so, it states that the receipts ' +
  'are unaltered since they were sealed, in order and without gaps, and which checks ran on the calls. An entry belongs to ' +
  'the period in which the record had come to it; times are those of the clock of the gateway.'

export const disclaimer =
  'It does not state that any answer was right, that any policy was a good one, or that a check found all that it was meant ' +
  'to find. It is not legal advice, not a certificate and not an audit opinion.'

export const disclaimerAfterErasure =
  `${disclaimer} On request, the keys to the commitments of some receipts of this period were deleted: what those calls held ` +
  'can no longer be compared with the record. The receipts themselves, their order and all totals are untouched by that.'

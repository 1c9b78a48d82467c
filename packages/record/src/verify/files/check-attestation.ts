import { checkAttestationSignature } from '../../format/signing/attestation-signature.js'
import { UnusableInputError } from '../fault.js'
import { compareExceptions } from './attested-exceptions.js'
import type { ExportCheck } from './check-exports.js'
import type { Fields, ObjectDocument } from './documents.js'
import { Recount, type RecountResult, type RecountSpan } from './recount.js'
import { type Finding, formatCount } from './verdict.js'

export interface AttestationCheck {
  recount: Recount
  finish(exports: readonly ExportCheck[]): Finding
}

const dayMs = 86_400_000
const notInRecord =
  'Not in an export, so only the signature of the attestation vouches for: packsInForce, anchor, erasures, scope and disclaimer'

const recordedLate =
  'was admitted in the period and comes after it in the record: it was recorded after the attestation was made, or is left out'

/** Compares an attestation with what the entries of the exports add up to. */
export function createAttestationCheck(document: ObjectDocument): AttestationCheck {
  const { fields, name } = document
  const span = readSpan(fields, name)
  const recount = new Recount(span)
  return {
    recount,
    finish(exports) {
      requireCoverage(span, exports)
      const tenant = exports[0]?.report.header.tenant ?? ''
      const counted = recount.finish()
      const exceptions = compareExceptions(fields.exceptions, counted.exceptions, spanOf(exports), write)
      const differences = [...compare(fields, span, { ...counted, tenant }), ...exceptions.differences]
      const [first] = differences
      const agreement = `What it says of ${formatCount(span.toSeq === 0 ? 0 : span.toSeq - span.fromSeq + 1, 'entry', 'entries')} of ${tenant} is what the export adds up to`
      const { fault, ...signed } = checkSignature(fields, exports)
      const mismatch = first === undefined ? null : ({ kind: 'mismatch', seq: null, message: first } as const)
      return {
        file: name,
        kind: 'attestation',
        fault: fault ?? mismatch,
        ...signed,
        exceptions: statementsOf(fields.exceptions),
        established: [
          ...(first === undefined ? [agreement] : fault ? differences : differences.slice(1)),
          ...(fault
            ? []
            : [
                `Signed as a whole by ${objectOf(fields.signature).keyId}, at ${span.generatedAt} by its own words`,
              ]),
        ],
        remarks: [
          notInRecord,
          ...exceptions.remarks,
          ...counted.late.map((entry) => `${entry} ${recordedLate}`),
        ],
        facts: { tenant, fromSeq: span.fromSeq, toSeq: span.toSeq, differences },
      }
    },
  }
}

const signatureFaults = {
  missing: { kind: 'bad_signature', message: 'The attestation is not signed' },
  unknown_key: { kind: 'unknown_key', message: 'The attestation is signed by none of the trusted keys' },
  bad_signature: {
    kind: 'bad_signature',
    message:
      'The signature of the attestation does not verify: something in it was changed after it was signed',
  },
} as const

/** A valid signature by a compromised key proves nothing. */
function checkSignature(
  fields: Fields,
  exports: readonly ExportCheck[],
): Pick<Finding, 'fault' | 'unproved'> {
  const keys = exports.flatMap((each) => each.keys)
  const fault = checkAttestationSignature(fields, keys)
  if (fault !== null) return { fault: { ...signatureFaults[fault], seq: null } }
  const { keyId } = objectOf(fields.signature)
  const compromise = exports
    .flatMap(({ exceptions }) => exceptions)
    .find(({ event, subject }) => event === 'signing_key.compromise' && subject === keyId)
  if (compromise === undefined) return { fault: null }
  return { fault: null, unproved: `entry ${compromise.seq} reports the key that signed it as compromised` }
}

const spanOf = (exports: readonly ExportCheck[]) => ({
  fromSeq: exports[0]?.report.header.fromSeq ?? 1,
  toSeq: exports.at(-1)?.report.header.toSeq ?? 0,
})

const statementsOf = (listed: unknown): string[] =>
  Array.isArray(listed) ? listed.map((each: unknown) => String(objectOf(each).statement)) : []

function readSpan({ period, generatedAt }: Fields, name: string): RecountSpan {
  const { fromSeq, toSeq, fromTs, toTs } = objectOf(period)
  if (
    typeof fromSeq !== 'number' ||
    typeof toSeq !== 'number' ||
    typeof fromTs !== 'string' ||
    typeof toTs !== 'string' ||
    typeof generatedAt !== 'string'
  )
    throw new UnusableInputError(`${name}: the period of the attestation cannot be read`)
  return { fromSeq, toSeq, fromTs, toTs, generatedAt }
}

function requireCoverage({ fromSeq, toSeq }: RecountSpan, exports: readonly ExportCheck[]): void {
  const [first, last] = [exports[0]?.report.header, exports.at(-1)?.report.header]
  if (!first || !last)
    throw new UnusableInputError('An attestation is checked against an export: give the export too')
  if (toSeq > 0 && (first.fromSeq > fromSeq || last.toSeq < toSeq))
    throw new UnusableInputError(
      `The attestation is about entries ${fromSeq} to ${toSeq}, the export has ${first.fromSeq} to ${last.toSeq}`,
    )
}

function compare(attested: Fields, span: RecountSpan, counted: RecountResult & { tenant: string }): string[] {
  const { label, days } = objectOf(attested.period)
  const { receipts, policyEvaluated } = counted.totals
  const isLabelled =
    label === `last-${days}-days` || (label === span.fromTs.slice(0, 7) && label !== span.toTs.slice(0, 7))
  const totals = {
    ...counted.totals,
    chainVerified: true,
    chainVerifiedCount: receipts,
    signaturesVerified: true,
    signaturesVerifiedCount: receipts,
    policyEvaluatedPct: floorPercent(policyEvaluated ?? 0, receipts ?? 0),
  }
  const coverage = counted.coverage.map((check) => ({
    ...check,
    pct: floorPercent(check.receipts, check.applicableReceipts),
  }))
  return [
    ...compareValues('tenantId', attested.tenantId, counted.tenant),
    ...compareValues('period.days', days, (Date.parse(span.toTs) - Date.parse(span.fromTs)) / dayMs),
    ...(isLabelled ? [] : [`period.label is ${JSON.stringify(label)}, which is not that span of time`]),
    ...counted.misplaced.map((entry) => `period: ${entry} is on the wrong side of its bounds`),
    ...Object.entries(totals).flatMap(([name, count]) =>
      compareValues(`totals.${name}`, objectOf(attested.totals)[name], count),
    ),
    ...compareValues('checkCoverage', sortByName(attested.checkCoverage), sortByName(coverage)),
    ...compareValues('packVersionsObserved', sorted(attested.packVersionsObserved), counted.packs),
    ...compareValues('signingKeyIds', sorted(attested.signingKeyIds), counted.signingKeyIds),
    ...compareValues('merkle.algorithm', objectOf(attested.merkle).algorithm, 'RFC6962-SHA256'),
    ...compareValues('merkle.leafCount', objectOf(attested.merkle).leafCount, receipts),
    ...compareValues('merkle.root', objectOf(attested.merkle).root, counted.root),
  ]
}

function compareValues(name: string, attested: unknown, counted: unknown): string[] {
  const [a, b] = [write(attested), write(counted)]
  return a === b ? [] : [`${name} is ${a}, the export adds up to ${b}`]
}

/** Writes members in a fixed order, so that equal values give equal texts. */
const write = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? 'missing'

/** Rounds down to one decimal. It computes whole tenths first, because 0.1 has no exact binary form. */
const floorPercent = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.floor((part * 1_000) / whole) / 10

const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})
const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value)
const sortByName = (value: unknown) =>
  Array.isArray(value) ? value.toSorted((a, b) => (String(a?.name) < String(b?.name) ? -1 : 1)) : value

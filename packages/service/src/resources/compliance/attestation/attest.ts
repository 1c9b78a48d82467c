import type { Db } from '../../../db/index.js'
import {
  describeAnchor,
  describeException,
  listExceptions,
  type SigningKey,
  type SpanVerifier,
  signAttestation,
  type VerifiedSpan,
} from '../../../record/index.js'
import { listActivePacks } from '../../packs/index.js'
import { listErasureEntries } from '../erasures/erasure-store.js'
import type { Period } from './attestation-period.js'
import type { Attestation } from './attestation-schema.js'
import { attestationVersion, scope, writeDisclaimer } from './attestation-texts.js'
import { storeLastAttestation } from './last-attestation.js'

export interface AttestDependencies {
  db: Db
  spans: Pick<SpanVerifier, 'verify'>
  /** Signs the attestation. */
  signingKey: SigningKey
  now(): Date
}

/** Attests what the record shows about a period. Every entry is read and verified again, and the result is kept. */
export async function attest(
  { db, spans, signingKey, now }: AttestDependencies,
  tenantId: string,
  { label, days, fromTs, toTs }: Period,
  signal: AbortSignal,
): Promise<Attestation> {
  const span = await spans.verify(tenantId, { fromTs, toTs }, signal)
  const { fromSeq, toSeq, tally } = span
  // Taken before the exceptions are read, so that none recorded until then is missing.
  const generatedAt = now().toISOString()
  const exceptions = await listExceptions(db, tenantId, { fromTs, verified: tally.exceptions })
  const erasures = await readErasures(db, tenantId, span)
  const { isContradicted, ...anchor } = await describeAnchor(db, tenantId, toSeq)
  const totals = countTotals(span)
  const attestation = {
    version: attestationVersion,
    tenantId,
    generatedAt,
    scope,
    disclaimer: writeDisclaimer(
      erasures !== null,
      exceptions.map(({ event }) => event),
    ),
    period: { label, days, fromSeq, toSeq, fromTs, toTs },
    totals: { ...totals, chainVerified: totals.chainVerified && !isContradicted },
    checkCoverage: [...tally.checks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { applicable, finished }]) => ({
        name,
        receipts: finished,
        applicableReceipts: applicable,
        pct: floorPercent(finished, applicable),
      })),
    packsInForce: (await listActivePacks(db, tenantId)).map(({ framework, version, pack_hash, source }) => ({
      framework,
      version,
      status: 'active',
      packHash: pack_hash,
      source,
    })),
    packVersionsObserved: [...tally.packs].sort(),
    signingKeyIds: span.keyIds,
    merkle: { algorithm: 'RFC6962-SHA256', leafCount: span.chained, root: span.root.toString('hex') },
    anchor,
    exceptions: exceptions.map((each) => ({ ...each, statement: describeException(each) })),
    ...(erasures && { erasures }),
  }
  const signed = { ...attestation, signature: signAttestation(attestation, signingKey) }
  await storeLastAttestation(db, signed)
  return signed
}

/**
 * The number of entries follows from their sequence numbers; everything else is counted up to the first entry that
 * fails.
 */
function countTotals({ fromSeq, toSeq, chained, sealed, tally }: VerifiedSpan): Attestation['totals'] {
  const receipts = fromSeq === 0 ? 0 : toSeq - fromSeq + 1
  return {
    receipts,
    modelReceipts: tally.modelReceipts,
    toolReceipts: tally.toolReceipts,
    chainVerified: chained === receipts,
    chainVerifiedCount: chained,
    signaturesVerified: sealed === receipts,
    signaturesVerifiedCount: sealed,
    policyEvaluated: tally.policyEvaluated,
    policyEvaluatedPct: floorPercent(tally.policyEvaluated, receipts),
    enforcementActions: tally.enforcementActions,
    upstreamFailures: tally.upstreamFailures,
  }
}

/** Rounded down to one decimal, so that 100 means all. Computed in whole tenths, because 0.1 is not exact in binary. */
export function floorPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part * 1_000) / whole) / 10
}

async function readErasures(
  db: Db,
  tenantId: string,
  { fromSeq, toSeq, tally }: VerifiedSpan,
): Promise<Attestation['erasures'] | null> {
  const controlEntries = await listErasureEntries(db, tenantId, { fromSeq, toSeq })
  const receipts = tally.unlinkable
  return receipts === 0 && controlEntries.length === 0 ? null : { receipts, controlEntries }
}

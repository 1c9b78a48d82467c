import { type Static, Type } from 'typebox'
import { DateTime, strict } from '../../../http/index.js'
import { ExceptionItem } from '../exception-schema.js'
import { defaultDays } from './attestation-period.js'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

/** A number of days up to now, or a month. */
export const attestationPeriod = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      // The validator must not fill this in: with `period` there must be no `days`.
      'x-default': defaultDays,
      description: 'The number of days up to now',
    }),
  ),
  period: Type.Optional(
    Type.String({
      pattern: '^2[0-9]{3}-(0[1-9]|1[0-2])$',
      description: 'A calendar month in UTC, instead of `days`',
      examples: ['2026-11'],
    }),
  ),
}

export const AttestationQuery = Type.Object(
  {
    ...attestationPeriod,
    reuse: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Returns the last attestation of the period instead of making one; `generatedAt` says when it was made',
      }),
    ),
  },
  strict,
)

const example = {
  version: '1.0',
  tenantId: 'tenant_01k9zq3w8hcv7m2x4n6p8r0t1y',
  generatedAt: '2026-12-01T09:30:00.000Z',
  scope: 'This attestation covers the calls that this tenant made through this Tallystick gateway …',
  disclaimer: 'It does not state that any answer was right …',
  period: {
    label: '2026-11',
    days: 30,
    fromSeq: 1201,
    toSeq: 2405,
    fromTs: '2026-11-01T00:00:00.000Z',
    toTs: '2026-12-01T00:00:00.000Z',
  },
  totals: {
    receipts: 1205,
    modelReceipts: 1204,
    toolReceipts: 0,
    chainVerified: true,
    chainVerifiedCount: 1205,
    signaturesVerified: true,
    signaturesVerifiedCount: 1205,
    policyEvaluated: 1180,
    policyEvaluatedPct: 97.9,
    enforcementActions: 3,
    upstreamFailures: 2,
  },
  checkCoverage: [{ name: 'budget', receipts: 1204, applicableReceipts: 1204, pct: 100 }],
  packsInForce: [
    { framework: 'soc2', version: '1.0', status: 'active', packHash: '3f0c…91ab', source: 'builtin' },
  ],
  packVersionsObserved: ['soc2@1.0'],
  signingKeyIds: ['0NucgUJNOdajyUg84GDzjsaoQFzMQwSFFbu3VSPsgVM'],
  merkle: { algorithm: 'RFC6962-SHA256', leafCount: 1205, root: '4ba9…d798' },
  anchor: { type: 'none', root: '4ba9…d798', note: 'Self-attested: …' },
  exceptions: [
    {
      seq: 1302,
      ts: '2026-11-09T07:12:44.120Z',
      event: 'record.restore',
      subject: '1309:9f3c…02de',
      by: 'ops@gateway-1',
      restore: {
        sealedSize: 1309,
        sealedRoot: '77b1…e0c4',
        keptSize: 1301,
        missingEntries: 8,
        asked: ['Redis', 'data directory on gateway-1'],
      },
      statement: 'Sealed entries are missing: the database was restored to an earlier moment. …',
    },
  ],
  signature: { keyId: '0NucgUJNOdajyUg84GDzjsaoQFzMQwSFFbu3VSPsgVM', value: 'Zm9yZ2Vk…' },
}

export const Attestation = Type.Object(
  {
    version: Type.String({ description: 'The version of the attestation format and its texts' }),
    tenantId: Type.String(),
    generatedAt: DateTime,
    scope: Type.String({ description: 'Clients must show this text verbatim' }),
    disclaimer: Type.String({ description: 'Clients must show this text verbatim' }),
    period: Type.Object({
      label: Type.String({ examples: ['last-30-days', '2026-11'] }),
      days: Type.Integer(),
      fromSeq: Type.Integer({ description: 'The number of the first entry. 0 if there is none' }),
      toSeq: Type.Integer({ description: 'The number of the last entry. 0 if there is none' }),
      fromTs: DateTime,
      toTs: Type.String({ format: 'date-time', description: 'The end of the period, exclusive' }),
    }),
    totals: Type.Object(
      {
        receipts: count('The number of entries in the period'),
        modelReceipts: count('The number of receipts of model calls'),
        toolReceipts: count('The number of receipts of tool calls'),
        chainVerified: Type.Boolean({
          description: 'True if every entry is unaltered, in its place and chained',
        }),
        chainVerifiedCount: count('The number of entries before the first one that fails this check'),
        signaturesVerified: Type.Boolean({ description: 'True if valid seals cover every entry' }),
        signaturesVerifiedCount: count('The number of entries that a valid seal covers'),
        policyEvaluated: count('The number of receipts in which a policy check came to a verdict'),
        policyEvaluatedPct: percent('The percentage of all receipts, rounded down'),
        enforcementActions: count('The number of receipts of calls that were blocked or redacted'),
        upstreamFailures: count('The number of receipts of calls that failed at the provider'),
      },
      { description: 'Totals of the period. Only verified entries are counted' },
    ),
    checkCoverage: Type.Array(
      Type.Object({
        name: Type.String(),
        receipts: count('The number of receipts in which the check came to a verdict'),
        applicableReceipts: count('The number of receipts in which the check applied'),
        pct: percent('The percentage of applicable receipts, rounded down, so that 100 means all'),
      }),
    ),
    packsInForce: Type.Array(
      Type.Object({
        framework: Type.String(),
        version: Type.String(),
        status: Type.String(),
        packHash: Type.String({ description: 'The SHA-256 of the RFC 8785 text of the pack, in hex' }),
        source: Type.String({ description: 'builtin or custom' }),
      }),
      { description: 'The packs that were active when this attestation was generated' },
    ),
    packVersionsObserved: Type.Array(Type.String(), {
      description: 'The pack versions that receipts of the period list',
    }),
    signingKeyIds: Type.Array(Type.String(), {
      description: 'The thumbprints of the keys whose seals cover entries of the period',
    }),
    merkle: Type.Object(
      {
        algorithm: Type.String(),
        leafCount: Type.Integer(),
        root: Type.String({ description: 'The root of the tree, in hex' }),
      },
      { description: 'A Merkle tree over only the verified entries of the period' },
    ),
    anchor: Type.Object({
      type: Type.String({ description: 'none, file or rfc3161' }),
      root: Type.String({
        description: 'The root of the anchored checkpoint or, without an anchor, of the newest, in hex',
      }),
      note: Type.String({ description: 'What the anchor does and does not prove' }),
    }),
    exceptions: Type.Array(ExceptionItem, {
      description:
        'What the record itself reports as missing, erased or in doubt since the period began. Clients must show each statement',
    }),
    erasures: Type.Optional(
      Type.Object(
        {
          receipts: count('The number of receipts of the period whose commitments can no longer be opened'),
          controlEntries: Type.Array(Type.Integer(), {
            description: 'The numbers of the control entries of the erasures',
          }),
        },
        { description: 'Present only if commitments of the period were erased' },
      ),
    ),
    signature: Type.Object(
      {
        keyId: Type.String({ description: 'The thumbprint of the key' }),
        value: Type.String({ description: 'The Ed25519 signature, in base64' }),
      },
      {
        description:
          'A signature over all other members. The signed text is `tallystick/attestation/1`, a line break, and the RFC 8785 form of the attestation without `signature`',
      },
    ),
  },
  { title: 'Attestation', examples: [example] },
)

export type Attestation = Static<typeof Attestation>

import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

export const About = Type.Object(
  {
    product: Type.Literal('Tallystick'),
    version: Type.String(),
    node: Type.String({ description: 'The version of Node.js' }),
    startedAt: Type.String({ format: 'date-time', description: 'When the responding process started' }),
    uptimeSeconds: Type.Integer({ minimum: 0 }),
    instanceId: Type.String({
      description: 'The id of the database. It is the same on every replica and never changes',
    }),
    tenant: Type.Object({
      id: Type.String(),
      name: Type.String(),
      isDemo: Type.Boolean({ description: 'True if all data of the tenant is generated for the demo' }),
    }),
    mode: Type.Enum(['trial', 'strict'], {
      description:
        '`trial` means that the service runs only for this machine, with a mock provider and relaxed URL rules. Any other service is `strict`',
    }),
    modeReason: Nullable(Type.String(), 'Why the mode is `strict`. Null for a trial'),
    database: Type.Object({
      type: Type.Enum(['embedded', 'external']),
      version: Type.String({ examples: ['16.4'] }),
      status: Type.Enum(['ok', 'degraded'], {
        description: '`degraded` means that receipts cannot be written at the moment',
      }),
    }),
    redis: Type.Object({
      status: Type.Enum(['ok', 'unavailable', 'unused'], {
        description: '`unused` means that limits are kept in the memory of this process',
      }),
      message: Nullable(Type.String(), 'What is wrong. Null if Redis works'),
    }),
    record: Type.Object({
      size: Type.Integer({ minimum: 0, description: 'The number of entries in the record of this tenant' }),
      firstKept: Type.Integer({
        minimum: 1,
        description: 'The number of the first entry that was not dropped',
      }),
      lastEntryAt: Nullable(DateTime, 'When the newest checkpoint was sealed. Null for an empty record'),
    }),
    features: Type.Object({
      anchors: Type.Enum(['none', 'file', 'rfc3161'], { description: 'Where checkpoints are anchored' }),
      traces: Type.Boolean({ description: 'True if traces are sent to a collector' }),
      ownPrices: Type.Boolean({ description: 'True if the operator has a price file' }),
      ownPacks: Type.Boolean({ description: 'True if the operator has a folder of compliance packs' }),
      providers: Type.Array(Type.String(), { description: 'Names of the configured providers' }),
    }),
    retention: Type.Object({
      callsDays: Type.Integer({ description: 'The number of days for which calls can be searched' }),
      webhookDeliveriesDays: Type.Integer({
        description: 'The number of days for which finished deliveries are kept',
      }),
    }),
  },
  {
    title: 'About',
    examples: [
      {
        product: 'Tallystick' as const,
        version: '0.1.0',
        node: '22.11.0',
        startedAt: '2026-11-15T09:30:00.000Z',
        uptimeSeconds: 86_400,
        instanceId: '9c2f6f0e-5d8b-4a34-9a5b-3f1d0c7b2a11',
        tenant: { id: 'tenant_01k9zq3w8hcv7m2x4n6p8r0t1y', name: 'default', isDemo: false },
        mode: 'trial' as const,
        modeReason: null,
        database: { type: 'embedded' as const, version: '16.4', status: 'ok' as const },
        redis: { status: 'unused' as const, message: null },
        record: { size: 2405, firstKept: 1, lastEntryAt: '2026-11-15T09:30:00.000Z' },
        features: {
          anchors: 'none' as const,
          traces: false,
          ownPrices: false,
          ownPacks: false,
          providers: ['mock'],
        },
        retention: { callsDays: 90, webhookDeliveriesDays: 30 },
      },
    ],
  },
)
export type About = Static<typeof About>

import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../http/index.js'
import { PackFile } from './pack-file.js'

export const Framework = PackFile.properties.framework

export const PackStatus = Type.Object(
  { status: Type.Enum(['active', 'inactive']) },
  { ...strict, title: 'PackStatus', examples: [{ status: 'active' }] },
)

export const PackRecord = Type.Object(
  {
    ...PackFile.properties,
    status: Type.Enum(['active', 'inactive']),
    packHash: Type.String({ description: 'The SHA-256 of the RFC 8785 text of the pack file, in hex' }),
    source: Type.Enum(['builtin', 'custom']),
    latestVersion: Nullable(
      Type.String(),
      'The version that would be activated now. Null if its file no longer exists. An active pack keeps its version until it is activated again',
    ),
    activatedAt: Nullable(DateTime, 'When the pack was activated. Null if it is not active'),
  },
  {
    title: 'Pack',
    examples: [
      {
        framework: 'soc2',
        version: '1.0',
        title: 'SOC 2',
        reference: 'AICPA Trust Services Criteria, CC7.2 and CC8.1',
        summary: 'Monitoring for anomalies, and control of changes.',
        limits: ['A SOC 2 report is the opinion of an independent auditor. This is neither.'],
        controls: [
          {
            id: 'CC7.2',
            title: 'Anomalies are monitored',
            requirement: 'System components are monitored for anomalies.',
            shows: ['Failures of providers, blocked and redacted calls.'],
            doesNotShow: ['That anyone was alerted.'],
            checks: ['rate_limit', 'pii'],
            fields: ['outcome', 'checks'],
          },
        ],
        status: 'active',
        packHash: '3f0c…91ab',
        source: 'builtin',
        latestVersion: '1.0',
        activatedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

export type PackRecord = Static<typeof PackRecord>

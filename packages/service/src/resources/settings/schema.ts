import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../http/index.js'

export const defaultRetentionDays = 30

const Mode = Type.Enum(['off', 'redacted', 'full'], {
  description:
    'What is stored. `off` stores nothing. `redacted` stores the forwarded request and the answer, both after policies have redacted them. `full` stores the request as the caller sent it and the answer as the caller received it',
})

const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  description:
    'The number of days after which content is deleted. A change also applies to content that is already stored',
})

export const ContentCaptureChange = Type.Object(
  { mode: Mode, retentionDays: Type.Optional(RetentionDays) },
  { ...strict, title: 'ContentCaptureChange', examples: [{ mode: 'redacted', retentionDays: 30 }] },
)

export const ContentCaptureRecord = Type.Object(
  {
    mode: Mode,
    retentionDays: RetentionDays,
    updatedAt: Nullable(DateTime, 'When the setting was last changed. Null if it was never set'),
  },
  {
    title: 'ContentCapture',
    examples: [{ mode: 'redacted', retentionDays: 30, updatedAt: '2026-11-15T09:30:00.000Z' }],
  },
)

export type ContentCaptureChange = Static<typeof ContentCaptureChange>
export type ContentCaptureRecord = Static<typeof ContentCaptureRecord>

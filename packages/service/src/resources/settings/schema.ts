import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../http/index.js'

export const defaultRetentionDays = 30

const Mode = Type.Enum(['off', 'redacted', 'full'], {
  description:
    '`off`: nothing is kept. `redacted`: the request as it was forwarded and the answer, both after policies, without anything that they redacted. `full`: the request as the caller sent it and the answer as the caller saw it',
})

const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  description:
    'Content that is older is deleted. What is set now holds for what is there already: with fewer days it goes sooner',
})

export const ContentCaptureChange = Type.Object(
  { mode: Mode, retentionDays: Type.Optional(RetentionDays) },
  { ...strict, title: 'ContentCaptureChange', examples: [{ mode: 'redacted', retentionDays: 30 }] },
)

export const ContentCaptureRecord = Type.Object(
  {
    mode: Mode,
    retentionDays: RetentionDays,
    updatedAt: Nullable(DateTime, 'Null while it was never set'),
  },
  {
    title: 'ContentCapture',
    examples: [{ mode: 'redacted', retentionDays: 30, updatedAt: '2026-11-15T09:30:00.000Z' }],
  },
)

export type ContentCaptureChange = Static<typeof ContentCaptureChange>
export type ContentCaptureRecord = Static<typeof ContentCaptureRecord>

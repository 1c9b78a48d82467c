import { Type } from 'typebox'
import type { ErrorDetail } from '../../shared/errors.js'
import type { PolicyUse } from './kind.js'

/** The option of every kind that can redact. It is optional, so that a config that was stored without it is still valid. */
export const Restore = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Restore redacted text of the request where it occurs in the answer to the caller. Requires `action: redact` and the input phase',
  }),
)

export function findRestoreError(
  { restore = false }: { restore?: boolean },
  { action, phase }: PolicyUse,
): ErrorDetail[] {
  if (!restore || (action === 'redact' && phase !== 'output')) return []
  return [
    {
      path: 'config.restore',
      message: 'puts back what was redacted from the input: needs action redact and phase input or both',
    },
  ]
}

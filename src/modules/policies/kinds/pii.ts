import { Type } from 'typebox'
import { anyAction, anyPhase, defineKind, strict } from './kind.js'

export const pii = defineKind({
  summary: 'Text that has personal data in it',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object(
    {
      entities: Type.Array(Type.Enum(['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address']), {
        minItems: 1,
        uniqueItems: true,
        description:
          'What to look for. Cards and IBANs are known by their check digits, not by their shape alone.',
        examples: [['email', 'credit_card']],
      }),
      restore: Type.Boolean({
        default: false,
        description:
          'Put what was redacted from the request back into the answer; needs `action: redact` and the input phase',
      }),
    },
    { ...strict, title: 'PiiConfig' },
  ),
  check({ restore }, { action, phase }) {
    if (!restore || (action === 'redact' && phase !== 'output')) return []
    return [
      {
        path: 'config.restore',
        message: 'puts back what was redacted from the input: needs action redact and phase input or both',
      },
    ]
  },
})

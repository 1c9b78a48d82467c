import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { requireAllowedUrl } from '../../outbound/index.js'
import { anyPhase, blockOrFlag, defineKind } from './kind.js'

/** The service returns a verdict, not a text. It cannot redact, so it can never put text into a call. */
export const http = defineKind({
  summary: 'Asks your own guardrail service',
  phases: anyPhase,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'The URL of your guardrail service. The same rules apply as for webhook URLs',
        examples: ['https://guard.example.com/check'],
      }),
      timeoutMs: Type.Integer({ minimum: 50, maximum: 10_000, default: 1_000 }),
      onError: Type.Enum(['block', 'allow'], {
        default: 'block',
        description:
          'What to do if the service cannot be reached, is too slow, or returns 429 or 5xx. The call is always blocked if there is no verdict for another reason: another status, an invalid response, a text that is too long, or a failed request of more than 64 KiB',
      }),
    },
    { ...strict, title: 'HttpConfig' },
  ),
  check({ url }, { urlRules }) {
    requireAllowedUrl(url, 'config.url', urlRules)
    return []
  },
  compile: ({ url, timeoutMs, onError }) => ({ subject: 'service', url, timeoutMs, onError }),
})

import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { requireAllowedUrl } from '../../outbound/index.js'
import { anyPhase, blockOrFlag, defineKind } from './kind.js'

/** The service returns a verdict, not a text. It cannot redact, so it can never put text into a call. */
export const http = defineKind({
  summary: 'What your own guardrail service objects to',
  phases: anyPhase,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Same rules as for webhooks',
        examples: ['https://guard.example.com/check'],
      }),
      timeoutMs: Type.Integer({ minimum: 50, maximum: 10_000, default: 1_000 }),
      onError: Type.Enum(['block', 'allow'], {
        default: 'block',
        description:
          'What to do when the service cannot be reached, is too slow, or answers 429 or 5xx. Whatever else leaves it without a verdict blocks: another status, an answer that cannot be read, a text that is too long, a failure on a question of more than 64 KiB.',
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

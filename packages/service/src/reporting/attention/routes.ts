import { type App, principalOf } from '../../http/index.js'
import { type AttentionParts, readAttention } from './read.js'
import { Attention } from './schema.js'

export function registerAttentionRoutes(app: App, parts: AttentionParts): void {
  app.get(
    '/v1/attention',
    {
      config: { access: 'reader' },
      schema: {
        tags: ['Service'],
        operationId: 'getAttention',
        summary: 'Read what needs a decision',
        description:
          'What somebody has to decide or to mend: budget requests that wait, limits at their end, providers that fail or refuse a credential, tools that wait for an approval, webhooks that do not arrive. Each is read with a bound, so it may be asked every few seconds.',
        response: { 200: Attention },
      },
    },
    async (request) => await readAttention(parts, principalOf(request).tenantId),
  )
}

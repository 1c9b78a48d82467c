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
        summary: 'Get what needs attention',
        description:
          'Returns what somebody has to decide or repair: a record that is not signed, pending budget requests, limits that are nearly or fully used, providers that fail or refuse a credential, tools that wait for approval, and webhooks that are not delivered. Every list is bounded, so you can poll this operation every few seconds.',
        response: { 200: Attention },
      },
    },
    async (request) => await readAttention(parts, principalOf(request).tenantId),
  )
}

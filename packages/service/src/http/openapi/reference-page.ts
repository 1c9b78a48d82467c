import scalar from '@scalar/fastify-api-reference'
import { notFound } from '../../shared/errors.js'
import type { App } from '../app.js'
import { hashInlineScripts } from '../pages/security-policy.js'
import { prefixOf } from '../path-prefix.js'

// A few megabytes that change only with a release.
const scriptLifetimeSeconds = 600

/** Serves the browsable API reference, entirely from this server. */
export async function registerReferencePage(app: App): Promise<void> {
  await app.register(async (scope) => {
    // The plugin would offer copies of the document to any site, under a URL that it derives itself.
    scope.addHook('onRequest', async ({ routeOptions: { url = '' } }, reply) => {
      // The plugin would redirect to a path without the prefix of a proxy.
      if (url === '/docs/api') return reply.redirect('api/', 302)
      if (url.startsWith('/docs/api/openapi.')) throw notFound(`path: ${url}; the document is /openapi.json`)
    })
    // One copy is shared by all readers, however slow.
    let script: Buffer | null = null
    scope.addHook('onSend', async (request, reply, payload) => {
      const type = String(reply.getHeader('content-type'))
      if (type.startsWith('text/html') && typeof payload === 'string') {
        const page = payload.replace('"/openapi.json"', `"${prefixOf(request)}/openapi.json"`)
        reply.header('content-security-policy', contentSecurityPolicy(page))
        return page
      }
      if (!type.startsWith('application/javascript') || typeof payload !== 'string') return payload
      reply.header('cache-control', `public, max-age=${scriptLifetimeSeconds}`)
      script ??= Buffer.from(payload)
      return script
    })
    await scope.register(scalar, {
      routePrefix: '/docs/api',
      configuration: {
        url: '/openapi.json',
        title: 'Tallystick reference',
        pageTitle: 'Tallystick reference',
        withDefaultFonts: false,
        telemetry: false,
        // Both lead to the vendor's site with the address of this service: "Open API client", and "Share" for
        // developers.
        hideClientButton: true,
        showDeveloperTools: 'never',
        // The document contains its own commands, which keep the key out of the process list.
        hiddenClients: { shell: true },
        defaultHttpClient: { targetKey: 'js', clientKey: 'fetch' },
      },
    })
  })
}

/**
 * The page has one inline script, which starts the reference: it is allowed by its hash. The reference creates
 * style elements at run time, so styles cannot be listed individually. It connects only to this server, including
 * when a request is tried.
 */
function contentSecurityPolicy(html: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashInlineScripts(html)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

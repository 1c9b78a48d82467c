import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { type App, type PublicAddress, sendCookie, toApiError } from '../../http/index.js'
import { maxConsentMs } from '../../resources/mcp-credentials/index.js'
import { describeClient } from './client-identity.js'
import { type ConsentFlow, cookieNameOf } from './consent.js'
import { described } from './describe-routes.js'
import { ConsentFault } from './fault.js'
import { sendAsk, sendConnected, sendRefusal } from './pages.js'

const root = '/mcp/oauth'
const documentPath = `${root}/client.json`

export const startPath = (link: string): string => `${root}/start?link=${link}`

/**
 * Registers the pages for a user's browser, which sends no virtual key. A sealed link contains the user and the server of a consent. The
 * page shows both to the person who opens the link. Only the browser that was shown the page can finish the consent.
 */
export function registerConsentPages(
  app: App,
  { flow, publicAddress }: { flow: ConsentFlow; publicAddress: PublicAddress | null },
): void {
  /** Returns the configured public URL, or the one that this request was sent to. */
  const baseOf = ({ protocol, host }: FastifyRequest): string =>
    publicAddress === null ? `${protocol}://${host}` : `${publicAddress.origin}${publicAddress.prefix}`
  const redirectUriOf = (base: string) => `${base}${root}/callback`

  function keepCookie(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
    // `Lax`, because the authorization server redirects the browser back.
    sendCookie(reply, publicAddress, { name, value, maxAgeSeconds, sameSite: 'lax', path: root })
  }

  app.get(`${root}/start`, pageOf(described.start), async (request, reply) =>
    orRefusal(request, reply, async () => {
      const base = baseOf(request)
      const started = await flow.start(queryOf(request).get('link') ?? '', {
        redirectUri: redirectUriOf(base),
        documentUrl: base.startsWith('https:') && publicAddress !== null ? `${base}${documentPath}` : null,
      })
      keepCookie(reply, started.cookie.name, started.cookie.value, maxConsentMs / 1_000)
      return sendAsk(reply, started)
    }),
  )

  // Authorization servers may add parameters to the address.
  app.get(`${root}/callback`, pageOf(described.callback), async (request, reply) =>
    orRefusal(request, reply, async () => {
      const query = queryOf(request)
      const cookies = request.server.parseCookie(request.headers.cookie ?? '')
      const ended = await flow.finish(query, (name) => cookies[name])
      keepCookie(reply, cookieNameOf(query.get('state') ?? ''), '', 0)
      return sendConnected(reply, ended)
    }),
  )

  // The client metadata document. Its URL is the id of this service as an OAuth client.
  app.get(documentPath, pageOf(described.client), async (request, reply) => {
    const base = baseOf(request)
    return reply.type('application/json; charset=utf-8').send(
      JSON.stringify({
        client_id: `${base}${documentPath}`,
        client_uri: base,
        ...describeClient(redirectUriOf(base), 'none'),
      }),
    )
  })
}

const pageOf = (config: FastifyContextConfig) => ({ exposeHeadRoute: false, config, schema: { hide: true } })

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://here.invalid').searchParams

async function orRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await act()
  } catch (error) {
    // Received values are not logged, because they may contain a token or a code.
    if (error instanceof ConsentFault) {
      request.log.info(`A consent was not given: ${error.message}`)
      return sendRefusal(reply, error.isTemporary ? 502 : 400, error.message)
    }
    const { status, message, type } = toApiError(error)
    if (status >= 500) request.log.error({ err: error, status, error: type }, message)
    return sendRefusal(reply, status, message)
  }
}

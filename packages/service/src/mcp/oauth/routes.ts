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
 * Pages for a user's browser, which has no key of ours. A sealed link says for whom a consent is; the page says it to whoever opened the link;
 * and only the browser that saw the page can end the consent that it began.
 */
export function registerConsentPages(
  app: App,
  { flow, publicPlace }: { flow: ConsentFlow; publicPlace: PublicAddress | null },
): void {
  /** As people see it; where nobody said so, as this request was sent. */
  const baseOf = ({ protocol, host }: FastifyRequest): string =>
    publicPlace === null ? `${protocol}://${host}` : `${publicPlace.origin}${publicPlace.prefix}`
  const redirectUriOf = (base: string) => `${base}${root}/callback`

  function keepCookie(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
    // `Lax`, because the authorization server redirects the browser back.
    sendCookie(reply, publicPlace, { name, value, maxAgeSeconds, sameSite: 'lax', path: root })
  }

  app.get(`${root}/start`, pageOf(described.start), async (request, reply) =>
    orRefusal(request, reply, async () => {
      const base = baseOf(request)
      const started = await flow.start(queryOf(request).get('link') ?? '', {
        redirectUri: redirectUriOf(base),
        documentUrl: base.startsWith('https:') && publicPlace !== null ? `${base}${documentPath}` : null,
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

  // What we are, for authorization servers that look it up by our id. It is the same for everybody.
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
      return sendRefusal(reply, error.isPassing ? 502 : 400, error.message)
    }
    const { status, message, type } = toApiError(error)
    if (status >= 500) request.log.error({ err: error, status, error: type }, message)
    return sendRefusal(reply, status, message)
  }
}

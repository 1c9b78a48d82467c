import type { ProviderTest } from './modules/providers/index.js'
import { type Dialect, dialects, type Provider } from './providers/index.js'

const maxMs = 10_000

/**
 * A request without messages: every vendor checks the credential, then refuses it, or answers nothing. It costs nothing, and it
 * takes the same way as a call, also where the vendor signs requests or cannot list its models.
 */
const bodies: Readonly<Record<string, object>> = {
  chat: { messages: [], max_tokens: 1 },
  messages: { messages: [], max_tokens: 1 },
  responses: { input: [], max_output_tokens: 16 },
  embeddings: { input: [] },
}

/** Whether it can be reached, and takes the credential that it was asked with. */
export async function testProvider(provider: Provider, model: string): Promise<ProviderTest> {
  const startedAt = performance.now()
  const name = Object.keys(bodies).find((each) => provider.dialects.includes(each))
  const dialect: Dialect | undefined = Object.values(dialects).find((each) => each.name === name)
  const latencyMs = () => Math.round(performance.now() - startedAt)
  if (dialect === undefined || name === undefined)
    return { ok: false, latencyMs: 0, error: 'None of its endpoints can be tested' }
  const error = await ask(provider, dialect, Buffer.from(JSON.stringify({ model, ...bodies[name] })), model)
  return { ok: error === null, latencyMs: latencyMs(), error }
}

function ask(provider: Provider, dialect: Dialect, body: Buffer, model: string): Promise<string | null> {
  return new Promise((resolve) => {
    let status = 0
    let text = ''
    const deadline = setTimeout(() => {
      call.abort()
      resolve(status === 0 ? `No answer within ${maxMs / 1000} s` : faultOf(provider, status, text))
    }, maxMs)
    const finish = (error: string | null) => {
      clearTimeout(deadline)
      resolve(error)
    }
    const call = provider.transport.send(
      {
        ...{ dialect, model, body, stream: false, contextWindow: null },
        ...{ headers: {}, query: '' },
        // Nobody's: what the caller brings is not here to be tested.
        callerAuthorization: provider.auth === 'caller' ? 'Bearer test' : null,
      },
      {
        head(answered) {
          status = answered
        },
        data(chunk) {
          if (text.length < 4_096) text += chunk.toString()
          return true
        },
        end: () => finish(faultOf(provider, status, text)),
        fail: ({ message }) => finish(message),
      },
    )
  })
}

/** Null when the answer shows that the provider is there and takes the credential. Its words are not repeated. */
function faultOf({ name, auth }: Provider, status: number, text: string): string | null {
  const isRefused = status === 401 || status === 403
  // The caller's own credential decides, and a test has none.
  if (isRefused && auth === 'caller') return null
  if (isRefused) return `${name} answered ${status}: it refuses the credential`
  if (status < 300 || status === 400 || status === 422) return null
  // A vendor says in JSON that there is no such model; what else there is no page for is not one.
  if (status === 404 && isErrorBody(text)) return null
  if (status === 404) return `${name} answered 404: there is no such path; check baseUrl`
  if (status === 429) return `${name} answered 429: the credential is over its rate limit`
  return `${name} answered ${status}`
}

function isErrorBody(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body
  } catch {
    return false
  }
}

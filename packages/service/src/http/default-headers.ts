import type { App } from './app.js'

/**
 * Headers of every answer of every route. An API has nothing to show in a browser: the content type is never
 * guessed, and no answer is executed, framed or cached. A route that serves pages or cacheable files sets its own
 * headers.
 */
export const defaultHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/**
 * Must be called before other hooks are added, so that answers of hooks that refuse a request have these headers
 * too.
 */
export function setDefaultHeaders(app: App): void {
  const headers = Object.entries(defaultHeaders)
  app.addHook('onRequest', (_, reply, done) => {
    for (const [name, value] of headers) reply.header(name, value)
    done()
  })
}

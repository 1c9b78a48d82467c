import type { App } from './app.js'

/**
 * On every answer of every route. An API has nothing to show in a browser: what one is made to load from here is taken for what it
 * says it is, runs nothing, stands in no frame, and is kept nowhere. A route that has something to show or to keep says so itself.
 */
export const answerHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** To be called before other hooks are added: what they refuse has these headers too. */
export function setAnswerHeaders(app: App): void {
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(answerHeaders)
    done()
  })
}

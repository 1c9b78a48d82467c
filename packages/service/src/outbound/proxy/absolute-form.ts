import type { Dispatcher } from 'undici'
import { ProxyError } from '../../shared/proxy-error.js'
import { describeStatus } from './open-tunnel.js'
import { type FindProxy, type ProxyServer, portOf } from './proxies.js'

/** Sends requests for plain HTTP targets as their proxy expects them: with the whole URL, and with its user and password. */
export const sendAbsoluteUrls =
  (findProxy: FindProxy): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const origin = new URL(String(options.origin))
    if (origin.protocol !== 'http:') return dispatch(options, handler)
    const proxy = findProxy(origin.protocol, origin.hostname, portOf(origin))
    if (proxy === null) return dispatch(options, handler)
    const { authorization } = proxy
    const headers =
      authorization === null ? options.headers : withAuthorization(options.headers, authorization)
    const proxied = { ...options, path: origin.origin + options.path, ...(headers && { headers }) }
    return dispatch(proxied, refuseDemands(proxy, handler))
  }

function withAuthorization(
  headers: Dispatcher.DispatchOptions['headers'],
  authorization: string,
): Dispatcher.DispatchOptions['headers'] {
  if (Array.isArray(headers)) return [...headers, 'proxy-authorization', authorization]
  const entries = headers == null ? [] : Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return { ...Object.fromEntries(entries), 'proxy-authorization': authorization }
}

/** A demand for a password comes from the proxy, never from the target. Other answers of the two cannot be told apart. */
function refuseDemands(
  { name }: ProxyServer,
  handler: Dispatcher.DispatchHandler,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, message) {
      if (status === 407) controller.abort(new ProxyError(`the proxy ${name} ${describeStatus(status)}`))
      else handler.onResponseStart?.(controller, status, headers, message)
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }
}

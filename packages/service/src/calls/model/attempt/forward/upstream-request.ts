import { callerAuthorizationOf } from '../../../../http/index.js'
import type { UpstreamRequest } from '../../../../providers/index.js'
import type { Call } from '../../call.js'
import type { DecidedModelAttempt } from '../attempt.js'

/** The body and headers to forward, after policies have judged them. */
export type JudgedBody = Pick<UpstreamRequest, 'body' | 'headers'>

/** Returns the request to the provider. */
export function toUpstreamRequest(
  { call, reservation, progress }: DecidedModelAttempt,
  { body, headers }: JudgedBody,
): UpstreamRequest {
  const { provider, model, properties } = reservation.target
  const { endpoint, stream, query } = call
  const { trace } = progress
  const request = {
    dialect: endpoint,
    model,
    stream,
    query,
    body,
    contextWindow: properties.contextWindow,
    headers: trace === null ? headers : { ...headers, traceparent: trace.traceparent },
    callerAuthorization: provider.auth === 'caller' ? callerAuthorizationOf(call.headers) : null,
  }
  return asForm(request, call.form)
}

/** Writes a request that arrived as a form as a new form with the same fields and files. */
const asForm = (request: UpstreamRequest, form: Call['form']): UpstreamRequest =>
  form === null
    ? request
    : {
        ...request,
        body: form.write(request.body),
        fields: request.body,
        headers: { ...request.headers, 'content-type': form.contentType },
      }

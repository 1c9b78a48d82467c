import type { JsonObject } from '@tallystick/record/json'
import type { App } from '../../http/index.js'

export interface ApiRequest {
  method: 'GET' | 'POST'
  path: string
  query: Record<string, string>
  body: JsonObject | null
}

export interface ApiReply {
  status: number
  body: unknown
}

/** Calls the management API with the caller's own key, so that its role, tenant and all checks apply. */
export type CallApi = (request: ApiRequest) => Promise<ApiReply>

/** Creates a function that calls the API with this key. `host` is the host that the caller used, for answers with a URL of this service. */
export const createCallApi =
  (app: App, keyValue: string, host: string): CallApi =>
  async ({ method, path, query, body }) => {
    const reply = await app.inject({
      method,
      url: path,
      query,
      headers: { authorization: `Bearer ${keyValue}`, host },
      ...(body !== null && { payload: body }),
    })
    return { status: reply.statusCode, body: reply.payload === '' ? null : reply.json() }
  }

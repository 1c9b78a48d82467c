import type { SeenRequest, Upstream } from '../providers/upstream.js'
import { waitFor } from '../run/wait.js'
import type { Api } from '../service/api.js'
import type { TestService } from '../service/service.js'

/** What a test says of an endpoint; all else has a sensible value. */
export interface EndpointFields {
  url: string
  name?: string
  type?: string
  events?: string[]
  maxAttempts?: number
  enabled?: boolean
}

/** An endpoint as it was created, secret included. */
export async function createEndpoint(api: Api, fields: EndpointFields) {
  const { status, body } = await api.post('/v1/webhook-endpoints', {
    name: 'An endpoint',
    type: 'generic',
    events: ['policy.violation'],
    ...fields,
  })
  if (status !== 201) throw new Error(`no endpoint: ${status} ${JSON.stringify(body)}`)
  return body
}

export const deliveriesOf = async (api: Api, endpointId: string) =>
  (await api.get(`/v1/webhook-endpoints/${endpointId}/deliveries?limit=200`)).body.data

/** The first delivery to an endpoint that is as wanted. */
export const waitForDelivery = (api: Api, endpointId: string, status: string) =>
  waitFor(`a ${status} delivery`, async () =>
    (await deliveriesOf(api, endpointId)).find((delivery: { status: string }) => delivery.status === status),
  )

/** The simplest event there is: a call for a model that its key may not use. */
export async function makeViolations(service: TestService, api: Api = service.api) {
  const { key, id } = (await api.post('/v1/keys', { name: 'Good for nothing', allowedModels: [] })).body
  return {
    keyId: id as string,
    violate: async () => {
      const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
      const { status } = await service.as(key).post('/v1/chat/completions', call)
      if (status !== 403) throw new Error(`the call was not refused: ${status}`)
    },
  }
}

/** The nth request that reached a receiver. */
export const nthSeen = (receiver: Upstream, n: number): Promise<SeenRequest> =>
  waitFor(`request ${n} at the receiver`, () => receiver.seen[n - 1])

import { isObject, type Json, pick, stringsOf } from '../json.js'
import type { Kind } from './kind.js'
import { headerNames, headerSecrets, headersOf } from './provider.js'

/** Sinks: everything that the destination keeps secret is compared by fingerprints. */
export const sink: Kind = {
  kind: 'Sink',
  path: '/v1/sinks',
  secretsOf(body) {
    const destination = destinationOf(body)
    const { secretAccessKey } = destination
    return new Map([
      ...headerSecrets(destination).map(([path, value]) => [`destination.${path}`, value] as const),
      ...(typeof secretAccessKey === 'string'
        ? [['destination.secretAccessKey', secretAccessKey] as const]
        : []),
    ])
  },
  withoutSecrets(body) {
    const destination = destinationOf(body)
    return {
      ...body,
      destination: { ...pick(destination, shown), headers: headerNames(destination.headers) },
    }
  },
  async observe(record) {
    const destination = destinationOf(record)
    const set = shown.filter((field) => destination[field] !== null)
    return {
      ...pick(record, ['data', 'format', 'intervalSeconds', 'enabled']),
      destination: { ...pick(destination, set), headers: stringsOf(destination.headers) },
    }
  },
  withPlaceholders(observed, placeholder) {
    const destination = destinationOf(observed)
    const under = (path: string) => placeholder(`destination.${path}`)
    const key = destination.accessKeyId !== undefined && { secretAccessKey: under('secretAccessKey') }
    return { ...observed, destination: { ...destination, ...headersOf(destination, under), ...key } }
  },
  async update(client, { id, body, fields, secrets }) {
    const destination = destinationOf(body)
    // The service keeps headers that are not sent, so those that the files no longer have are sent as none.
    const whole = destination.type === 'http' ? { headers: {}, ...destination } : destination
    const wanted = [...fields, ...(secrets.size > 0 ? ['destination'] : [])]
    await client.patch(`/v1/sinks/${id}`, pick({ ...body, destination: whole }, wanted))
  },
}

const shown = ['type', 'url', 'region', 'bucket', 'prefix', 'accessKeyId', 'ca']

const destinationOf = ({ destination }: Json): Json => (isObject(destination) ? destination : {})

import type { Client } from '../client.js'
import { isObject, type Json, objectsOf, pick, stringOf, stringsOf } from '../json.js'
import type { Change, Kind } from './kind.js'

/** Providers: credentials and headers are compared by name, and their values by fingerprints. */
export const provider: Kind = {
  kind: 'Provider',
  path: '/v1/providers',
  check(body) {
    const names = objectsOf(body.credentials).map(({ name }) => stringOf(name))
    return names
      .filter((name, i) => names.indexOf(name) !== i)
      .map((name) => `two credentials are called ${name}`)
  },
  secretsOf: (body) =>
    new Map([
      ...headerSecrets(body),
      ...objectsOf(body.credentials).map(({ name, value }): [string, string] => [
        `credentials.${stringOf(name)}`,
        stringOf(value),
      ]),
    ]),
  withoutSecrets: (body) => ({
    ...body,
    headers: headerNames(body.headers),
    credentials: describeCredentials(body.credentials),
  }),
  observe: async (record) => ({
    ...pick(record, [
      'type',
      'baseUrl',
      'dialects',
      'timeouts',
      'limits',
      'options',
      'auth',
      'references',
      'pricesOf',
      'enabled',
    ]),
    headers: objectsOf(record.headers)
      .map(({ name }) => stringOf(name).toLowerCase())
      .toSorted(),
    credentials: describeCredentials(record.credentials),
  }),
  withPlaceholders: (observed, placeholder) => ({
    ...observed,
    ...headersOf(observed, placeholder),
    credentials: objectsOf(observed.credentials).map((each) => ({
      ...each,
      value: placeholder(`credentials.${stringOf(each.name)}`),
    })),
  }),
  async update(client, change) {
    const { id, record, body, fields, secrets } = change
    const old = objectsOf(record.credentials)
    const wanted = objectsOf(body.credentials)
    // The service refuses to send a stored secret to a new address, so secrets are stored again.
    const isElsewhere = fields.has('baseUrl') || fields.has('options')
    const isStale = ({ name, weight }: Json) =>
      isElsewhere ||
      secrets.has(`credentials.${stringOf(name)}`) ||
      !wanted.some((each) => each.name === name && each.weight === weight)
    const stale = old.filter(isStale)
    const isKept = ({ name }: Json) => old.some((each) => each.name === name && !isStale(each))
    const isRenamed = ({ name }: Json) => !old.some((each) => each.name === name)
    // New names are added first, so that a rotation under a new name leaves no moment without a credential.
    const first = isElsewhere ? [] : wanted.filter(isRenamed)
    await addCredentials(client, id, first)
    for (const { id: credentialId } of stale)
      await client.delete(`/v1/providers/${id}/credentials/${stringOf(credentialId)}`)
    const patch = patchOf(change, isElsewhere)
    if (Object.keys(patch).length > 0) await client.patch(`/v1/providers/${id}`, patch)
    await addCredentials(
      client,
      id,
      wanted.filter((each) => !isKept(each) && !first.includes(each)),
    )
  },
}

export const headerSecrets = ({ headers }: Json): [string, string][] =>
  Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
    `headers.${name.toLowerCase()}`,
    stringOf(value),
  ])

/** Headers with a reference for each value. */
export function headersOf({ headers }: Json, placeholder: (path: string) => string): Json {
  const names = stringsOf(headers)
  if (names.length === 0) return { headers: undefined }
  return { headers: Object.fromEntries(names.map((name) => [name, placeholder(`headers.${name}`)])) }
}

export const headerNames = (headers: unknown): string[] =>
  Object.keys(isObject(headers) ? headers : {})
    .map((name) => name.toLowerCase())
    .toSorted()

const describeCredentials = (credentials: unknown): Json[] =>
  objectsOf(credentials)
    .map(({ name, weight = 1 }) => ({ name, weight }))
    .toSorted((a, b) => (stringOf(a.name) < stringOf(b.name) ? -1 : 1))

function patchOf({ body, fields, secrets }: Change, isElsewhere: boolean): Json {
  const changed = [...fields].filter((field) => field !== 'credentials')
  const hasNewHeader = isElsewhere || [...secrets].some((path) => path.startsWith('headers.'))
  return pick(body, hasNewHeader ? [...changed, 'headers'] : changed)
}

async function addCredentials(client: Client, id: string, credentials: readonly Json[]): Promise<void> {
  for (const credential of credentials)
    await client.post(`/v1/providers/${id}/credentials`, pick(credential, ['name', 'value', 'weight']))
}

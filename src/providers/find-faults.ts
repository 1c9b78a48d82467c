import { faultOfKey } from './credentials/json-credential.js'
import { dialects } from './dialects/index.js'
import { namesProof } from './upstream-path.js'
import { type Vendor, vendors } from './vendors/index.js'

/** What somebody set of a provider: in the file, or by the API. */
export interface ProviderShape {
  type: string
  /** Null: the vendor's own. */
  baseUrl: string | null
  /** Null: those that the vendor answers. */
  dialects: readonly string[] | null
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  options: Readonly<Record<string, string>>
  credentials: readonly { value: string }[]
  /** Its credentials may name files of this machine: for those of the operator. */
  mayReadFiles?: boolean
}

export interface ProviderFault {
  /** Such as `options.region`. */
  path: string
  /** Never repeats what was set: it may be a secret. */
  message: string
}

/** All that is wrong with a provider, in the file and by the API alike. */
export function findProviderFaults(shape: ProviderShape): ProviderFault[] {
  const vendor = vendors.get(shape.type)
  if (!vendor) return [{ path: 'type', message: `must be one of ${[...vendors.keys()].join(', ')}` }]
  const faults = [
    ...faultsOfDialects(shape.dialects ?? [], vendor),
    ...faultsOfOptions(shape.options, vendor),
    ...faultsOfHeaders(shape.headers),
    ...faultsOfCredentials(shape, vendor),
  ]
  // What the address is made of is at fault, not the address.
  if (faults.some(({ path }) => path.startsWith('options'))) return faults
  const baseUrl = shape.baseUrl ?? baseUrlOf(shape.type, shape.options)
  const messages = baseUrl === null ? [`is required for type ${shape.type}`] : faultsOfBaseUrl(baseUrl)
  return [...faults, ...messages.map((message) => ({ path: 'baseUrl', message }))]
}

/** Where a provider of this type is reached when nobody says so; null when that must be said. */
export function baseUrlOf(type: string, options: Readonly<Record<string, string>>): string | null {
  const vendor = vendors.get(type)
  return vendor?.baseUrlFor?.(options) ?? vendor?.baseUrl ?? null
}

function faultsOfDialects(named: readonly string[], vendor: Vendor): ProviderFault[] {
  const known = vendor.hasOwnPaths ? vendor.dialects : Object.keys(dialects)
  return named.flatMap((dialect, index) =>
    known.includes(dialect)
      ? []
      : [{ path: `dialects.${index}`, message: `must be one of ${known.join(', ')}` }],
  )
}

function faultsOfOptions(
  options: ProviderShape['options'],
  { options: table = [] }: Vendor,
): ProviderFault[] {
  const known = table.map(({ name }) => name)
  const unknown = Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `options.${name}`,
      message:
        known.length === 0 ? 'this type has no options' : `unknown option; there are ${known.join(', ')}`,
    }))
  const wrong = table.flatMap(({ name, required, pattern, description }) => {
    const value = options[name]
    if (value === undefined)
      return required ? [{ path: `options.${name}`, message: `is required: ${description}` }] : []
    return pattern.test(value) ? [] : [{ path: `options.${name}`, message: `is not ${description}` }]
  })
  return [...unknown, ...wrong]
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const headerValue = /^[\t\x20-\x7e]{0,4096}$/
// They are about the connection or the bytes, which are not the operator's to describe.
const ownHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-(length|type|encoding)|accept-encoding|x-tallystick-.*)$/

function faultsOfHeaders(headers: ProviderShape['headers']): ProviderFault[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `headers.${name}`
    if (!headerName.test(name) || name !== name.toLowerCase())
      return [{ path, message: 'must be the name of a header, in lower case' }]
    if (ownHeaders.test(name)) return [{ path, message: 'is set by this service' }]
    return headerValue.test(value) ? [] : [{ path, message: 'must be printable ASCII' }]
  })
}

function faultsOfCredentials(
  { auth, credentials, mayReadFiles = false }: ProviderShape,
  { credentialFault = faultOfKey }: Vendor,
): ProviderFault[] {
  if (auth === 'caller' && credentials.length > 0)
    return [{ path: 'credentials', message: 'must be empty where the caller brings its own (auth: caller)' }]
  return credentials.flatMap(({ value }, index) => {
    const fault = credentialFault(value, mayReadFiles)
    return fault === null ? [] : [{ path: `credentials.${index}.value`, message: fault }]
  })
}

function faultsOfBaseUrl(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return ['must be an http or https URL']
  const faults: string[] = []
  if (url.username !== '' || url.password !== '')
    faults.push('must not carry a user name or a password; give the key as a credential')
  // It is shown to all who may see the provider, and stored as it is.
  if ([...url.searchParams.keys()].some(namesProof))
    faults.push('must not carry a key in its query; give it as a credential, or as a header')
  if (url.hash !== '') faults.push('must not have a fragment (#…), which is never sent')
  return faults
}

/** Without slashes at the end of its path. A query stays: it goes with every call. */
export function normalizeBaseUrl(text: string): string {
  const { origin, pathname, search } = new URL(text)
  return `${origin}${pathname.replace(/\/+$/, '')}${search}`
}

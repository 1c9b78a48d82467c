import { findKeyFault } from './credentials/json-credential.js'
import { endpoints } from './endpoints/index.js'
import { isCredentialParameter } from './transport/join-queries.js'
import { type Vendor, vendors } from './vendors/index.js'

/** The settings of a provider, from the file or from the API. */
export interface ProviderShape {
  type: string
  /** Null means the vendor's default. */
  baseUrl: string | null
  /** Null means all that the vendor supports. */
  dialects: readonly string[] | null
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  options: Readonly<Record<string, string>>
  credentials: readonly { value: string }[]
  /** True when its credentials may use the files and the identity of this machine: only for the operator's providers. */
  mayUseMachine?: boolean
}

export interface ProviderFault {
  /** For example `options.region`. */
  path: string
  /** Never repeats the configured value, which may be a secret. */
  message: string
}

/** Returns every fault in the settings of a provider, for the file and the API alike. */
export function findProviderFaults(shape: ProviderShape): ProviderFault[] {
  const vendor = vendors.get(shape.type)
  if (!vendor) return [{ path: 'type', message: `must be one of ${[...vendors.keys()].join(', ')}` }]
  const faults = [
    ...findDialectFaults(shape.dialects ?? [], vendor),
    ...findOptionFaults(shape.options, vendor),
    ...findHeaderFaults(shape.headers),
    ...findCredentialFaults(shape, vendor),
  ]
  // The options that form the address are at fault, not the address.
  if (faults.some(({ path }) => path.startsWith('options'))) return faults
  const baseUrl = shape.baseUrl ?? baseUrlOf(shape.type, shape.options)
  const messages = baseUrl === null ? [`is required for type ${shape.type}`] : findBaseUrlFaults(baseUrl)
  return [...faults, ...messages.map((message) => ({ path: 'baseUrl', message }))]
}

/** Returns the default address of a provider of this type; null when the settings must contain it. */
export function baseUrlOf(type: string, options: Readonly<Record<string, string>>): string | null {
  const vendor = vendors.get(type)
  return vendor?.baseUrlFor?.(options) ?? vendor?.baseUrl ?? null
}

function findDialectFaults(named: readonly string[], vendor: Vendor): ProviderFault[] {
  const known = vendor.hasOwnPaths ? vendor.dialects : Object.keys(endpoints)
  return named.flatMap((dialect, index) =>
    known.includes(dialect)
      ? []
      : [{ path: `dialects.${index}`, message: `must be one of ${known.join(', ')}` }],
  )
}

function findOptionFaults(
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
// These headers describe the connection or the bytes, so the operator must not set them.
const reservedHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-(length|type|encoding)|accept-encoding|x-tallystick-.*)$/

function findHeaderFaults(headers: ProviderShape['headers']): ProviderFault[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `headers.${name}`
    if (!headerName.test(name) || name !== name.toLowerCase())
      return [{ path, message: 'must be the name of a header, in lower case' }]
    if (reservedHeaders.test(name)) return [{ path, message: 'is set by this service' }]
    return headerValue.test(value) ? [] : [{ path, message: 'must be printable ASCII' }]
  })
}

function findCredentialFaults(
  { auth, credentials, mayUseMachine = false }: ProviderShape,
  { credentialFault = findKeyFault }: Vendor,
): ProviderFault[] {
  if (auth === 'caller' && credentials.length > 0)
    return [{ path: 'credentials', message: 'must be empty where the caller brings its own (auth: caller)' }]
  return credentials.flatMap(({ value }, index) => {
    const fault = credentialFault(value, mayUseMachine)
    return fault === null ? [] : [{ path: `credentials.${index}.value`, message: fault }]
  })
}

function findBaseUrlFaults(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return ['must be an http or https URL']
  const faults: string[] = []
  if (url.username !== '' || url.password !== '')
    faults.push('must not carry a user name or a password; give the key as a credential')
  // The address is shown to everyone who may see the provider, and it is stored in plain text.
  if ([...url.searchParams.keys()].some(isCredentialParameter))
    faults.push('must not carry a key in its query; give it as a credential, or as a header')
  if (url.hash !== '') faults.push('must not have a fragment (#…), which is never sent')
  return faults
}

/** Removes slashes at the end of the path. A query is kept: it is sent with every call. */
export function normalizeBaseUrl(text: string): string {
  const { origin, pathname, search } = new URL(text)
  return `${origin}${pathname.replace(/\/+$/, '')}${search}`
}

import { isIP } from 'node:net'
import { ApiError } from '../shared/errors.js'
import { type AllowedRange, faultOfAddress, isInRanges } from './public-address.js'

export interface UrlRules {
  /** Only HTTPS, only to public addresses. */
  strict: boolean
  /** Private ranges that the operator allows all the same, also by plain HTTP. */
  allowedRanges?: readonly AllowedRange[]
}

/**
 * Checks what the URL itself shows: its scheme, credentials in it, and a host that is an address of this machine or of a
 * private network, in whatever notation. What a name resolves to is checked when a connection is made.
 */
export function requireAllowedUrl(text: string, path: string, rules: UrlRules): void {
  const fault = faultOfUrl(text, rules)
  if (fault !== null) throw refusedUrl(path, fault)
}

export const refusedUrl = (path: string, fault: string) =>
  new ApiError('invalid_webhook_url', `${path}: ${fault}`)

export function faultOfUrl(text: string, rules: UrlRules): string | null {
  // The parser drops tabs and line ends silently: the stored URL would not be the one that is called.
  if (/\s/.test(text) || !URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return httpsOnly
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or a password'
  if (!rules.strict) return null
  return faultOfHost(hostOf(url), url.protocol, rules)
}

/** The parser has already normalized every notation of an address (`0x7f.1`, `2130706433`, `１２７.1`). */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

export const httpsOnly = 'must be an https URL'

/** Why this address may not be called by this protocol; null if it may. */
export function faultOfTarget(address: string, protocol: string, rules: UrlRules): string | null {
  const { strict, allowedRanges = [] } = rules
  if (!strict || isInRanges(address, allowedRanges)) return null
  // The one message for every address of a URL that is not HTTPS.
  return protocol === 'https:' ? faultOfAddress(address) : httpsOnly
}

/** Services that give a cloud machine its own credentials. By address they are link-local or private. */
const metadataNames = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
])

function faultOfHost(host: string, protocol: string, rules: UrlRules): string | null {
  if (isIP(host) !== 0) return faultOfTarget(host, protocol, rules)
  // By plain HTTP a name may lead to an allowed range alone, which is seen when it is resolved.
  if (protocol !== 'https:' && (rules.allowedRanges ?? []).length === 0) return httpsOnly
  if (host === 'localhost' || host.endsWith('.localhost')) return 'must not lead to this machine (localhost)'
  return metadataNames.has(host) ? 'must not lead to a cloud metadata service' : null
}

import type { OidcFileConfig } from '../file/schema.js'
import type { PublicUrl } from './network/public-url.js'
import { isLoopback } from './network/strictness.js'

/** The issuer for sign-in, and the roles of the users who sign in. */
export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string
  tenant: string
  name: string
  managers: string[]
  auditors: string[]
  /** The email domains that may sign in. Null for any. */
  allowedDomains: string[] | null
  scopes: string
  groupsClaim: string
}

const secretName = 'TALLYSTICK_OIDC_CLIENT_SECRET'

export function readOidc(
  file: OidcFileConfig | undefined,
  source: { read(name: string): string | null; strict: boolean; publicUrl: PublicUrl | null },
  faults: string[],
): OidcConfig | null {
  if (file === undefined) return null
  const clientSecret = source.read(secretName) ?? file.clientSecret ?? ''
  if (clientSecret === '') faults.push(`oidc.clientSecret: is required, here or as ${secretName}`)
  checkIssuer(file.issuer, source.strict, faults)
  if (source.strict && source.publicUrl?.origin.startsWith('https:') !== true)
    faults.push('TALLYSTICK_PUBLIC_URL: oidc needs the https address that people are sent back to')
  const domains = file.allowedDomains?.map((domain) => domain.toLowerCase().replace(/^@/, '')) ?? null
  if (domains?.length === 0) faults.push('oidc.allowedDomains: names no domain; leave it out to allow any')
  return {
    issuer: file.issuer,
    clientId: file.clientId,
    clientSecret,
    tenant: file.tenant ?? 'default',
    name: file.name ?? nameOf(file.issuer),
    managers: file.managers ?? [],
    auditors: file.auditors ?? [],
    allowedDomains: domains,
    scopes: file.scopes ?? 'openid profile email',
    groupsClaim: file.groupsClaim ?? 'groups',
  }
}

const nameOf = (issuer: string) => (URL.canParse(issuer) ? new URL(issuer).host : issuer)

/** The issuer may be in a private network, because the operator configures it and not a tenant. Its answers must be encrypted. */
function checkIssuer(issuer: string, strict: boolean, faults: string[]): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isTrial = !strict && url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  if (url === null || (url.protocol !== 'https:' && !isTrial) || url.search !== '' || url.hash !== '')
    faults.push('oidc.issuer: must be an https URL; in a local trial, http on this machine will do')
}

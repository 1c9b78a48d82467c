import type { Role } from '../../../http/index.js'
import { emailPattern, isAllShown } from '../../../shared/hidden-characters.js'
import { refuse } from '../sign-in-problem.js'

/** What the issuer asserts about a person. */
export interface OidcIdentity {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  groups: readonly string[]
}

/** Who may sign in, and with which role. */
export interface OidcRules {
  managers: readonly string[]
  auditors: readonly string[]
  allowedDomains: readonly string[] | null
}

type Claims = Readonly<Record<string, unknown>>

/** True when the ID token alone identifies the person. */
export const hasAllClaims = (idToken: Claims, groupsClaim: string): boolean =>
  hasEmail(idToken) && idToken[groupsClaim] !== undefined

/** A source with any email claim decides about the email alone: an address and its verification belong together. */
const hasEmail = (claims: Claims): boolean =>
  claims.email !== undefined || claims.email_verified !== undefined

/**
 * Claims that belong together come from one source: `email` and `email_verified` from the ID token if it has
 * either, or else from userinfo. Groups and the name likewise, each from the first of the two that has them.
 */
export function readIdentity(
  idToken: Claims & { iss: string; sub: string },
  userinfo: Claims,
  groupsClaim: string,
): OidcIdentity {
  const { email, email_verified: verified } = hasEmail(idToken) ? idToken : userinfo
  const name = idToken.name ?? userinfo.name
  const groups = idToken[groupsClaim] ?? userinfo[groupsClaim]
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: typeof email === 'string' && isAddress(email) ? email : null,
    // Some issuers send it as a string.
    emailVerified: verified === true || verified === 'true',
    name: typeof name === 'string' ? readName(name) : null,
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  }
}

const address = new RegExp(emailPattern, 'u')
const isAddress = (text: string): boolean => text.length <= 320 && address.test(text)

/** Returns null for a name that would not be displayed as it is written. */
function readName(name: string): string | null {
  const trimmed = Array.from(name.trim()).slice(0, 200).join('')
  return trimmed === '' || !isAllShown(trimmed) ? null : trimmed
}

/**
 * Folds the letters A to Z only. Full Unicode folding treats the Kelvin sign as a `k`, and so somebody else's
 * address as a manager's.
 */
export const foldEmail = (email: string): string =>
  email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Returns null when the configuration names no role: roles are then set in the tenant. An email decides only if the
 * issuer has verified it; when an unverified one would decide, the person gets an error instead of a lesser role.
 */
export function decideRole(identity: OidcIdentity, rules: OidcRules): Role | null {
  const email = identity.email && foldEmail(identity.email)
  const { managers, auditors, allowedDomains } = rules
  if (allowedDomains !== null) {
    if (email === null) throw refuse('email_missing')
    if (!identity.emailVerified) throw refuse('email_not_verified')
    if (!allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))) throw refuse('domain_not_allowed')
  }
  const emails = [...managers, ...auditors].filter(isEmail).map(foldEmail)
  if (email !== null && emails.includes(email) && !identity.emailVerified) throw refuse('email_not_verified')
  const names = (entries: readonly string[]) =>
    entries.some((entry) => (isEmail(entry) ? foldEmail(entry) === email : identity.groups.includes(entry)))
  if (names(managers)) return 'manager'
  if (names(auditors)) return 'auditor'
  return managers.length + auditors.length > 0 ? 'member' : null
}

const isEmail = (entry: string) => entry.includes('@')

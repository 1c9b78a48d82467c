import { emailPattern, isAllShown } from '../../hidden-characters.js'
import type { Role } from '../../http/index.js'
import { refuse } from './sign-in-problem.js'

/** What the issuer says of a person. */
export interface OidcIdentity {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  groups: readonly string[]
}

/** Who may come in, and as what. */
export interface OidcRules {
  managers: readonly string[]
  auditors: readonly string[]
  allowedDomains: readonly string[] | null
}

type Claims = Readonly<Record<string, unknown>>

/** Whether the ID token alone says who a person is. */
export const hasAllClaims = (idToken: Claims, groupsClaim: string): boolean =>
  hasEmail(idToken) && idToken[groupsClaim] !== undefined

/** An answer that says anything about the email decides about it alone: an address and who verified it belong together. */
const hasEmail = (claims: Claims): boolean =>
  claims.email !== undefined || claims.email_verified !== undefined

/**
 * What is used together comes from one source: `email` and `email_verified` from the ID token where it has either, else from userinfo.
 * Groups and the name likewise, each from the first of the two that has them.
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

/** Null for a name that would not be shown as it is written. */
function readName(name: string): string | null {
  const trimmed = Array.from(name.trim()).slice(0, 200).join('')
  return trimmed === '' || !isAllShown(trimmed) ? null : trimmed
}

/**
 * Letter case makes no difference for the letters A to Z. Other scripts are compared as they are: the full rules take the Kelvin sign for
 * a `k`, and somebody else's address for a manager's.
 */
export const foldEmail = (email: string): string =>
  email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Null where the configuration names no role: then roles are given in the tenant. An email decides only if the issuer has verified it;
 * where it would decide and is not, the person is told so rather than let in with less.
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

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

/**
 * Null where the configuration names no role: then roles are given in the tenant. An email decides only if the issuer has verified it;
 * where it would decide and is not, the person is told so rather than let in with less.
 */
export function decideRole(identity: OidcIdentity, rules: OidcRules): Role | null {
  const email = identity.email?.toLowerCase() ?? null
  const { managers, auditors, allowedDomains } = rules
  if (allowedDomains !== null) {
    if (email === null) throw refuse('email_missing')
    if (!identity.emailVerified) throw refuse('email_not_verified')
    if (!allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))) throw refuse('domain_not_allowed')
  }
  const emails = [...managers, ...auditors].filter(isEmail).map((entry) => entry.toLowerCase())
  if (email !== null && emails.includes(email) && !identity.emailVerified) throw refuse('email_not_verified')
  const names = (entries: readonly string[]) =>
    entries.some((entry) =>
      isEmail(entry) ? entry.toLowerCase() === email : identity.groups.includes(entry),
    )
  if (names(managers)) return 'manager'
  if (names(auditors)) return 'auditor'
  return managers.length + auditors.length > 0 ? 'member' : null
}

const isEmail = (entry: string) => entry.includes('@')

/** Messages by error code. The URL carries only the code, so that a crafted link cannot show arbitrary text. */
const messages: Record<string, string> = {
  not_configured: 'Single sign-on is not set up on this service. Sign in with a key.',
  issuer_unreachable:
    'Single sign-on cannot be reached or returned an error. Try again shortly, or sign in with a key.',
  answer_not_valid:
    'The response of your single sign-on failed verification. Try again, and tell your administrator if it happens again.',
  issuer_refused: 'Single sign-on denied access. Try again, or ask whoever runs your single sign-on.',
  not_valid:
    'The sign-in took longer than ten minutes, was already completed, or started in another browser. Start again.',
  email_missing:
    'Your single sign-on sends no usable email address for you, and the address decides who may sign in here.',
  email_not_verified:
    'Your single sign-on has not verified your email address, which decides who may sign in here.',
  domain_not_allowed: 'Your email domain may not sign in here.',
  user_suspended: 'You are suspended here. Ask a manager of your tenant.',
  user_removed: 'You were removed here. Ask a manager of your tenant to add you again.',
  identity_taken:
    'Your email address belongs to someone else here, or to several members. Ask a manager of your tenant.',
  last_manager:
    'You are no longer a manager, but your key is the last manager key of the tenant. Create another one first.',
  unavailable: 'The service cannot reach its database. Try again shortly.',
}

/** Null for the rate limit, whose message states how long to wait. */
export function describeProblem(problem: string): string | null {
  if (problem === 'rate_limit_exceeded') return null
  return messages[problem] ?? 'The sign-in failed. Start again.'
}

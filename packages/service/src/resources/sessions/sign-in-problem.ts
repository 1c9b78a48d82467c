import { ApiError, type ErrorType } from '../../shared/errors.js'

/** Why a sign-in by OpenID Connect failed. The sign-in page has a message for each. */
const problems = {
  not_configured: ['not_found', 'Sign-in by OpenID Connect is not set up on this service'],
  issuer_unreachable: [
    'upstream_error',
    'The issuer that vouches for you cannot be reached, or answers with a fault: try again shortly, or sign in with a key',
  ],
  answer_not_valid: [
    'upstream_error',
    'The answer of the issuer failed verification, so you were not signed in: try again, and tell the operator if it happens again',
  ],
  issuer_refused: ['forbidden', 'The issuer did not let you in'],
  not_valid: [
    'invalid_request',
    'This sign-in was not started here, took longer than ten minutes, or was finished already: start again',
  ],
  email_missing: [
    'forbidden',
    'The issuer sends no usable email address for you, and the address decides who may sign in here',
  ],
  email_not_verified: [
    'forbidden',
    'The issuer has not verified your email address, which decides who may sign in here',
  ],
  domain_not_allowed: ['forbidden', 'People of your email domain may not sign in here'],
  user_suspended: ['user_suspended', 'You are suspended here: ask a manager of your tenant'],
  user_removed: ['forbidden', 'You were removed here: ask a manager of your tenant to add you again'],
  identity_taken: [
    'conflict',
    'Your email address belongs to another account of the issuer here, or to several members: ask a manager of your tenant',
  ],
  last_manager: [
    'conflict',
    'You are no longer a manager by the configuration, but your key is the last manager key of the tenant: another one must be made first',
  ],
} as const satisfies Record<string, readonly [ErrorType, string]>

export type Problem = keyof typeof problems

export class SignInProblem extends ApiError {
  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    const [type, message] = problems[problem]
    super(type, message, {}, options)
  }
}

export const refuse = (problem: Problem, cause?: unknown) => new SignInProblem(problem, { cause })

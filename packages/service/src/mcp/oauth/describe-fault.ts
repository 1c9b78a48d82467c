import { ConsentFault, FetchFault } from './fault.js'
import type { OAuthSdk } from './sdk.js'

/** Calls `ask`, which makes a request to another service, and converts every error into a `ConsentFault`. */
export async function translateFaults<Result>(
  sdk: OAuthSdk,
  ask: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw toConsentFault(sdk, error)
  }
}

/** Describes a failure. Of what an authorization server wrote, only the error code is repeated. */
export function toConsentFault(sdk: OAuthSdk, error: unknown): ConsentFault {
  if (error instanceof ConsentFault) return error
  const fault = (message: string, isTemporary: boolean) =>
    new ConsentFault(message, isTemporary, { cause: error })
  if (error instanceof FetchFault)
    return fault(`The server or its authorization server cannot be asked: ${error.message}`, true)
  if (error instanceof sdk.IssuerMismatchError || error instanceof sdk.AuthorizationServerMismatchError)
    return fault('The authorization server is not the expected one: the issuer differs', false)
  if (error instanceof sdk.InsecureTokenEndpointError)
    return fault('The token endpoint of the authorization server does not use TLS', false)
  if (error instanceof sdk.RegistrationRejectedError)
    return fault(
      'The authorization server does not let this service register itself: a manager can set a `clientId`',
      false,
    )
  if (error instanceof sdk.OAuthError)
    return error.code === sdk.OAuthErrorCode.ServerError ||
      error.code === sdk.OAuthErrorCode.TemporarilyUnavailable
      ? fault('The authorization server failed', true)
      : fault(`The authorization server refused: ${readableCode(error.code)}`, false)
  return fault('The authorization server answered with something that is not understood', true)
}

const readableCode = (code: string): string =>
  /^[a-z_]{1,64}$/.test(code) ? code : 'for a reason of its own'

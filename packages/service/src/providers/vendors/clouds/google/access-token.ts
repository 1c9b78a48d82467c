import { createPrivateKey, sign } from 'node:crypto'
import { asObject, asText, type JsonObject, parseObject } from '@tallystick/record/json'
import type { ShortLivedToken } from '../../../../cloud/index.js'
import { findMissingFields, requireText } from '../../../credentials/json-credential.js'
import { fetchOauthToken, readToken } from '../../../credentials/oauth-token.js'
import type { AuthorizeTools } from '../../vendor.js'

const scope = 'https://www.googleapis.com/auth/cloud-platform'
// Google's own maximum.
const assertionSeconds = 3_600

/** Returns the fault in a credential of Google Cloud; null when it is valid. */
export function findGoogleCredentialFault(credential: JsonObject, mayUseMachine: boolean): string | null {
  switch (credential.type) {
    case 'service_account':
      return (
        findMissingFields(credential, ['client_email', 'private_key', 'token_uri']) ??
        findPrivateKeyFault(credential)
      )
    case 'external_account':
      return (
        findMissingFields(credential, ['audience', 'subject_token_type', 'token_url']) ??
        findSourceFault(credential, mayUseMachine)
      )
    default:
      return 'must be the JSON of a service account, or of workload identity federation (external_account)'
  }
}

function findPrivateKeyFault({ private_key: key }: JsonObject): string | null {
  try {
    return createPrivateKey(asText(key)).asymmetricKeyType === 'rsa'
      ? null
      : 'has a private_key that is not RSA'
  } catch {
    return 'has a private_key that is not a PEM key'
  }
}

function findSourceFault({ credential_source: source }: JsonObject, mayUseMachine: boolean): string | null {
  if (asText(asObject(source).file) === '')
    return 'must have a credential_source with a file: URLs, programs and AWS are not supported'
  return mayUseMachine
    ? null
    : 'must not name a file of this machine; only credentials in the configuration file may'
}

/** Fetches an access token for a service account, or for an identity that Google trusts. */
export async function fetchGoogleToken(
  credential: JsonObject,
  tools: AuthorizeTools,
): Promise<ShortLivedToken> {
  return credential.type === 'service_account'
    ? await requestTokenByAssertion(credential, tools)
    : await exchangeToken(credential, tools)
}

/** https://developers.google.com/identity/protocols/oauth2/service-account */
async function requestTokenByAssertion(account: JsonObject, tools: AuthorizeTools): Promise<ShortLivedToken> {
  const url = requireText(account, 'token_uri')
  const issuedAt = Math.floor(tools.now() / 1_000)
  const email = requireText(account, 'client_email')
  const header = { alg: 'RS256', typ: 'JWT', kid: asText(account.private_key_id) }
  const claims = { iss: email, scope, aud: url, iat: issuedAt, exp: issuedAt + assertionSeconds }
  const toSign = [header, claims].map((part) => encode(JSON.stringify(part))).join('.')
  const signature = sign('sha256', Buffer.from(toSign), requireText(account, 'private_key'))
  return await fetchOauthToken(tools, url, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${toSign}.${signature.toString('base64url')}`,
  })
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')

/** https://cloud.google.com/iam/docs/workload-identity-federation */
async function exchangeToken(account: JsonObject, tools: AuthorizeTools): Promise<ShortLivedToken> {
  const token = await fetchOauthToken(tools, requireText(account, 'token_url'), {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience: requireText(account, 'audience'),
    scope,
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: await readSubjectToken(asObject(account.credential_source), tools),
    subject_token_type: requireText(account, 'subject_token_type'),
  })
  const impersonation = asText(account.service_account_impersonation_url)
  return impersonation === '' ? token : await impersonate(impersonation, token, tools)
}

/** The file is read for each token, because the workload's platform replaces it before its token expires. */
async function readSubjectToken(source: JsonObject, { machine }: AuthorizeTools): Promise<string> {
  if (machine === null) throw new Error('This credential may not read a file')
  const text = (await machine.readFile(requireText(source, 'file'))).trim()
  const format = asObject(source.format)
  if (format.type !== 'json') return text
  return requireText(parseObject(text) ?? {}, requireText(format, 'subject_token_field_name'))
}

async function impersonate(
  url: string,
  token: ShortLivedToken,
  tools: AuthorizeTools,
): Promise<ShortLivedToken> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token.value}` }
  const answer = await tools.post(url, headers, JSON.stringify({ scope: [scope], lifetime: '3600s' }))
  const expiresAtMs = Date.parse(asText(answer.expireTime))
  return {
    value: readToken(answer, 'accessToken'),
    expiresAtMs: Number.isNaN(expiresAtMs) ? token.expiresAtMs : expiresAtMs,
  }
}

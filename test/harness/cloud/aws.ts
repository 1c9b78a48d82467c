import { randomUUID } from 'node:crypto'
import { type CloudAnswer, type CloudRequest, type CloudServer, serveCloud } from './loopback.js'
import { signatureFault } from './verify-signature.js'

const hourMs = 3_600_000
const iso = (atMs: number) => new Date(atMs).toISOString().replace(/\.\d{3}/, '')

export const keysOf = (name: string) => ({
  accessKeyId: `ASIA${name.toUpperCase()}`,
  secretAccessKey: `secret/of+${name}`,
  sessionToken: `token-of-${name}==`,
})

const json = (name: string, expiresAtMs: number) => {
  const { accessKeyId, secretAccessKey, sessionToken } = keysOf(name)
  return {
    ...{ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken },
    Expiration: iso(expiresAtMs),
  }
}

/** The metadata service of an instance that requires version 2, with a role; null for an instance without one. */
export async function serveInstanceMetadata(
  role: string | null,
  keys = () => json('instance', Date.now() + hourMs),
): Promise<CloudServer> {
  const sessions = new Set<string>()
  const root = '/latest/meta-data/iam/security-credentials/'
  return await serveCloud(({ method, url, headers }) => {
    if (url.pathname === '/latest/api/token') {
      const seconds = Number(headers['x-aws-ec2-metadata-token-ttl-seconds'])
      if (method !== 'PUT') return { status: 405 }
      if (!(seconds >= 1 && seconds <= 21_600) || headers['x-forwarded-for']) return { status: 400 }
      const session = `${randomUUID()}==`
      sessions.add(session)
      return { body: session }
    }
    if (method !== 'GET') return { status: 405 }
    if (!sessions.has(String(headers['x-aws-ec2-metadata-token']))) return { status: 401 }
    if (role === null) return { status: 404 }
    if (url.pathname === root) return { body: role }
    if (url.pathname !== root + role) return { status: 404 }
    return { body: { Code: 'Success', Type: 'AWS-HMAC', LastUpdated: iso(Date.now()), ...keys() } }
  })
}

/** The service that gives credentials to containers: ECS with a fixed token, EKS with that of a file. */
export const serveContainerCredentials = (token: () => string): Promise<CloudServer> =>
  serveCloud(({ method, headers }) => {
    if (method !== 'GET' || headers.authorization !== token()) return { status: 401, body: { message: 'no' } }
    return { body: { RoleArn: 'arn:aws:iam::1:role/task', ...json('container', Date.now() + hourMs) } }
  })

const stsError = (status: number, code: string): CloudAnswer => ({
  status,
  body: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>Sender</Type><Code>${code}</Code><Message>arn:aws:iam::42 is not authorized</Message></Error>
  <RequestId>${randomUUID()}</RequestId>
</ErrorResponse>`,
})

const stsKeys = (action: string, name: string): CloudAnswer => {
  const { accessKeyId, secretAccessKey, sessionToken } = keysOf(name)
  return {
    headers: { 'content-type': 'text/xml' },
    body: `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <${action}Result>
    <AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/x/tallystick</Arn><AssumedRoleId>ARO:tallystick</AssumedRoleId></AssumedRoleUser>
    <Credentials>
      <SessionToken>
        ${sessionToken}
      </SessionToken>
      <SecretAccessKey>${secretAccessKey}</SecretAccessKey>
      <Expiration>${iso(Date.now() + hourMs)}</Expiration>
      <AccessKeyId>${accessKeyId}</AccessKeyId>
    </Credentials>
  </${action}Result>
  <ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>
</${action}Response>`,
  }
}

interface StsAccount {
  region: string
  /** The tokens of a Kubernetes cluster that the role trusts. */
  webTokens: string[]
  /** Who may assume `assumable`, by name of `keysOf`. */
  caller: string
  assumable: { arn: string; externalId: string | null }
}

/** The Security Token Service: the keys of a role for a web identity, or for a signature. */
export const serveSts = ({ region, webTokens, caller, assumable }: StsAccount): Promise<CloudServer> =>
  serveCloud((request: CloudRequest) => {
    const form = new URLSearchParams(request.body)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (request.method !== 'POST' || !isForm || form.get('Version') !== '2011-06-15')
      return stsError(400, 'InvalidAction')
    if (!/^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? '')) return stsError(400, 'ValidationError')
    if (form.get('Action') === 'AssumeRoleWithWebIdentity') {
      if (request.headers.authorization !== undefined) return stsError(400, 'ValidationError')
      if (!webTokens.includes(form.get('WebIdentityToken') ?? ''))
        return stsError(400, 'InvalidIdentityToken')
      return stsKeys('AssumeRoleWithWebIdentity', 'web')
    }
    const fault = signatureFault(request, keysOf(caller), { region, service: 'sts' })
    if (fault !== null) return stsError(403, 'SignatureDoesNotMatch')
    const isAllowed = form.get('RoleArn') === assumable.arn && form.get('ExternalId') === assumable.externalId
    return isAllowed ? stsKeys('AssumeRole', 'assumed') : stsError(403, 'AccessDenied')
  })

/** AWS Secrets Manager, which an account may ask that signs with its keys. */
export const serveSecretsManager = (
  region: string,
  caller: string,
  secrets: Record<string, { SecretString: string } | { SecretBinary: string }>,
): Promise<CloudServer> =>
  serveCloud((request: CloudRequest) => {
    const fail = (status: number, type: string) => ({
      status,
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: { __type: type, Message: 'User: arn:aws:iam::42 is not authorized' },
    })
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue')
      return fail(400, 'UnknownOperationException')
    if (request.headers['content-type'] !== 'application/x-amz-json-1.1')
      return fail(400, 'SerializationException')
    if (signatureFault(request, keysOf(caller), { region, service: 'secretsmanager' }) !== null)
      return fail(400, 'InvalidSignatureException')
    const { SecretId } = JSON.parse(request.body)
    const secret = secrets[SecretId]
    if (secret === undefined) return fail(400, 'ResourceNotFoundException')
    return {
      body: { ARN: `arn:aws:secretsmanager:${region}:1:secret:${SecretId}`, Name: SecretId, ...secret },
    }
  })

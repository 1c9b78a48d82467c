import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  keysOf,
  serveContainerCredentials,
  serveInstanceMetadata,
  serveSts,
} from '../../../../../test/harness/cloud/aws.js'
import {
  serveAppIdentity,
  serveAzureInstance,
  serveEntra,
  serveGoogleMetadata,
} from '../../../../../test/harness/cloud/google-azure.js'
import { type CloudServer, serveCloud } from '../../../../../test/harness/cloud/loopback.js'
import { signatureFault } from '../../../../../test/harness/cloud/verify-signature.js'
import {
  credential,
  providerFor,
  requestFor,
  sendTo,
} from '../../../../../test/harness/providers/vendor-server.js'
import type { CloudEnvironment } from '../../config/index.js'
import { findProviderFaults } from '../provider-faults.js'

const region = 'eu-central-1'
const roleArn = 'arn:aws:iam::210987654321:role/bedrock'
const folder = mkdtempSync(join(tmpdir(), 'tallystick-identity-'))
afterAll(() => rmSync(folder, { recursive: true }))
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

const open = async (serving: Promise<CloudServer>): Promise<CloudServer> => {
  const server = await serving
  opened.push(server)
  return server
}
const vendor = () => open(serveCloud(() => ({ headers: { 'content-type': 'application/json' }, body: {} })))

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const optionsOf: Record<string, Record<string, string>> = {
  bedrock: { region },
  vertex: { project: 'my-project', region: 'global' },
  'azure-openai': {},
}

function provide(
  type: string,
  baseUrl: string,
  machine: CloudEnvironment | null,
  identity: object = {},
  now: () => number = Date.now,
) {
  const provider = providerFor(
    {
      ...{ type, baseUrl, options: optionsOf[type] ?? {} },
      credentials: [credential(JSON.stringify({ type: 'machine', ...identity }))],
    },
    { now, ...(machine && { machine }) },
  )
  opened.push(provider.transport)
  return provider
}

describe('Bedrock with the identity of the machine', () => {
  /** Sends a call, and returns whose keys signed it. */
  async function signerOf(machine: CloudEnvironment, identity: object = {}): Promise<string> {
    const bedrock = await vendor()
    const { status, failure } = await sendTo(
      provide('bedrock', bedrock.url, machine, identity),
      requestFor('chat'),
    )
    if (failure) return failure.error.message
    expect(status).toBe(200)
    const [request] = bedrock.requests
    if (!request) throw new Error('nothing arrived')
    const names = ['instance', 'container', 'web', 'assumed']
    return (
      names.find((name) => signatureFault(request, keysOf(name), { region, service: 'bedrock' }) === null) ??
      'nobody'
    )
  }
  const sts = (webTokens: string[] = [], caller = 'instance') =>
    open(serveSts({ region, webTokens, caller, assumable: { arn: roleArn, externalId: 'ours' } }))

  test('of an instance gets its keys by IMDSv2', async () => {
    const metadata = await open(serveInstanceMetadata('bedrock-role'))
    expect(await signerOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url })).toBe('instance')
    expect(metadata.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'GET'])
  })

  test('of a container gets them with the token that the file has at that time', async () => {
    const file = write('pod-token', 'first\n')
    let expected = 'first'
    const agent = await open(serveContainerCredentials(() => expected))
    const environment = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    }
    expect(await signerOf(environment)).toBe('container')
    expected = 'second'
    expect(await signerOf(environment)).toBe(
      'There are no AWS credentials (environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set; web-identity: AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN are not set; container: the credentials service of the container answered 401)',
    )
    write('pod-token', 'second')
    expect(await signerOf(environment)).toBe('container')
  })

  test('of a Kubernetes service account (IRSA) exchanges its token', async () => {
    const { url } = await sts(['jwt-of-pod'])
    const file = write('irsa', 'jwt-of-pod')
    const environment = {
      ...{ AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: roleArn },
      AWS_ENDPOINT_URL_STS: url,
    }
    expect(await signerOf(environment)).toBe('web')
    write('irsa', 'another')
    expect(await signerOf(environment)).toMatch(/web-identity: STS answered 400 \(InvalidIdentityToken\)\)$/)
    rmSync(file)
    expect(await signerOf(environment)).toMatch(
      /the file of AWS_WEB_IDENTITY_TOKEN_FILE cannot be read \(ENOENT\)\)$/,
    )
  })

  test('assumes a role of another account, with its external id', async () => {
    const metadata = await open(serveInstanceMetadata('small'))
    const { url } = await sts()
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url, AWS_ENDPOINT_URL_STS: url }
    expect(await signerOf(environment, { roleArn, externalId: 'ours' })).toBe('assumed')
    expect(await signerOf(environment, { roleArn })).toBe('STS answered 403 (AccessDenied)')
  })

  test('goes no further than the source that is described, and does not send a token over an open network', async () => {
    const metadata = await open(serveInstanceMetadata('bedrock-role'))
    const environment = {
      AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://credentials.example/keys',
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'secret-of-pod',
    }
    expect(await signerOf(environment)).toMatch(
      /FULL_URI must be https, or http on this machine or at ECS or EKS\)$/,
    )
    expect(metadata.requests).toEqual([])
    expect(await signerOf(environment, { from: 'instance' })).toBe('instance')
  })

  test('says which sources there are not', async () => {
    const metadata = await open(serveInstanceMetadata(null))
    expect(await signerOf({ AWS_EC2_METADATA_DISABLED: 'true' })).toMatch(
      /; instance: AWS_EC2_METADATA_DISABLED is true\)$/,
    )
    expect(await signerOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url })).toMatch(
      /; instance: the metadata service of the instance answered 404 \(the instance has no role\)\)$/,
    )
  })

  test('fetches once for 50 calls, fetches again before the keys end, and then delays nobody', async () => {
    const clock = { nowMs: Date.now() }
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let isSlow = false
    const hour = 3_600_000
    const metadata = await open(
      serveCloud(async ({ method, url }) => {
        if (method === 'PUT') return { body: 'session' }
        if (url.pathname.endsWith('/')) return { body: 'role' }
        if (isSlow) await answered
        const { accessKeyId, secretAccessKey, sessionToken } = keysOf('instance')
        const keys = { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken }
        return { body: { ...keys, Expiration: new Date(clock.nowMs + hour).toISOString() } }
      }),
    )
    const bedrock = await vendor()
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url }
    const provider = provide('bedrock', bedrock.url, environment, {}, () => clock.nowMs)
    const callMany = () => Promise.all(Array.from({ length: 50 }, () => sendTo(provider, requestFor('chat'))))
    const statuses = async () => new Set((await callMany()).map(({ status }) => status))
    expect(await statuses()).toEqual(new Set([200]))
    expect(metadata.requests).toHaveLength(3)
    clock.nowMs += hour - 60_000
    isSlow = true
    expect(await statuses()).toEqual(new Set([200]))
    answer()
    expect(bedrock.requests).toHaveLength(100)
  })

  test('asks again when the metadata service is overloaded', async () => {
    let count = 0
    const metadata = await open(
      serveCloud(({ method, url }) => {
        if (method === 'PUT') return ++count === 1 ? { status: 503 } : { body: 'session' }
        if (url.pathname.endsWith('/')) return { body: 'role' }
        return {
          body: {
            ...{ AccessKeyId: 'ASIAINSTANCE', SecretAccessKey: 'secret/of+instance' },
            ...{ Token: 'token-of-instance==', Expiration: new Date(Date.now() + 3_600_000).toISOString() },
          },
        }
      }),
    )
    expect(await signerOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url })).toBe('instance')
  })
})

/** Sends a call, and returns the header with which it arrived, or why it did not. */
async function authorizationOf(type: string, machine: CloudEnvironment, identity: object = {}) {
  const server = await vendor()
  const { failure } = await sendTo(provide(type, server.url, machine, identity), requestFor('chat'))
  return failure?.error.message ?? server.requests[0]?.headers.authorization
}

describe('Vertex with the identity of the machine', () => {
  test('asks the metadata server, and believes no other', async () => {
    const metadata = await open(serveGoogleMetadata(() => 'ya29.machine'))
    expect(await authorizationOf('vertex', { GCE_METADATA_HOST: metadata.host })).toBe('Bearer ya29.machine')
    const portal = await open(serveCloud(() => ({ body: { access_token: 'ya29.false', expires_in: 60 } })))
    expect(await authorizationOf('vertex', { GCE_METADATA_HOST: portal.host })).toBe(
      'There are no Google credentials (file: GOOGLE_APPLICATION_CREDENTIALS is not set; instance: the metadata server of Google Cloud was not the one that answered)',
    )
  })

  test('fetches another token, once, when one is refused before it ends', async () => {
    let issued = 0
    let accepted = 1
    const metadata = await open(serveGoogleMetadata(() => `ya29.${++issued}`))
    const server = await open(
      serveCloud(({ headers }) => ({
        status: headers.authorization === `Bearer ya29.${accepted}` ? 200 : 401,
        headers: { 'content-type': 'application/json' },
        body: {},
      })),
    )
    let nowMs = Date.now()
    const machine = { GCE_METADATA_HOST: metadata.host }
    const provider = provide('vertex', server.url, machine, {}, () => nowMs)
    const send = async () => (await sendTo(provider, requestFor('chat'))).status
    const state = () => provider.credentials()[0]?.status
    expect(provider.usesMachine).toBe(true)
    expect(await send()).toBe(200)
    nowMs += 60_000
    accepted = 2
    // The next attempt of the same call has the new token.
    expect([await send(), state(), await send(), state()]).toEqual([401, 'active', 200, 'active'])
    accepted = 9
    expect([await send(), state(), issued]).toEqual([401, 'resting', 2])
    nowMs += 60_000
    expect(await provider.check()).toMatchObject({ ok: false })
    expect(issued).toBe(3)
  })

  test('uses the file of GOOGLE_APPLICATION_CREDENTIALS where it is set', async () => {
    const exchange = await open(
      serveCloud(({ body }) =>
        new URLSearchParams(body).get('subject_token') === 'jwt-of-pod'
          ? { body: { access_token: 'ya29.federated', expires_in: 3_600 } }
          : { status: 400 },
      ),
    )
    const file = write(
      'google.json',
      JSON.stringify({
        ...{ type: 'external_account', audience: '//iam.googleapis.com/pool', token_url: exchange.url },
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        credential_source: { file: write('google-token', 'jwt-of-pod') },
      }),
    )
    expect(await authorizationOf('vertex', { GOOGLE_APPLICATION_CREDENTIALS: file })).toBe(
      'Bearer ya29.federated',
    )
    const metadata = await open(serveGoogleMetadata(() => 'ya29.machine'))
    const missing = { GOOGLE_APPLICATION_CREDENTIALS: `${file}.not`, GCE_METADATA_HOST: metadata.host }
    expect(await authorizationOf('vertex', missing)).toBe(
      'There are no Google credentials (file: GOOGLE_APPLICATION_CREDENTIALS cannot be read (ENOENT))',
    )
    expect(metadata.requests).toEqual([])
  })
})

describe('Azure OpenAI with the identity of the machine', () => {
  test('of a virtual machine, with an identity of the system or of the user', async () => {
    const system = await open(serveAzureInstance(null))
    const user = await open(serveAzureInstance('client-1'))
    expect(await authorizationOf('azure-openai', { AZURE_POD_IDENTITY_AUTHORITY_HOST: system.url })).toBe(
      'Bearer token-of-vm',
    )
    const environment = { AZURE_POD_IDENTITY_AUTHORITY_HOST: user.url }
    expect(await authorizationOf('azure-openai', environment, { clientId: 'client-1' })).toBe(
      'Bearer token-of-vm',
    )
    expect(await authorizationOf('azure-openai', environment)).toMatch(
      /; instance: the metadata service of the instance answered 400\)$/,
    )
  })

  test('of App Service and of Container Apps', async () => {
    const { url } = await open(serveAppIdentity('header-secret'))
    const environment = { IDENTITY_ENDPOINT: `${url}/msi/token`, IDENTITY_HEADER: 'header-secret' }
    expect(await authorizationOf('azure-openai', environment)).toBe('Bearer token-of-app')
    expect(await authorizationOf('azure-openai', { ...environment, IDENTITY_HEADER: 'other' })).toMatch(
      /app-service: the identity service of the app answered 401\)$/,
    )
  })

  test('of a Kubernetes service account (workload identity)', async () => {
    const { url } = await open(serveEntra('tenant-1', 'client-1', ['jwt-of-pod']))
    const environment = {
      ...{ AZURE_FEDERATED_TOKEN_FILE: write('azure-token', 'jwt-of-pod'), AZURE_TENANT_ID: 'tenant-1' },
      ...{ AZURE_CLIENT_ID: 'client-1', AZURE_AUTHORITY_HOST: `${url}/` },
    }
    expect(await authorizationOf('azure-openai', environment)).toBe('Bearer token-of-workload')
  })
})

describe.each(['bedrock', 'vertex', 'azure-openai'])(
  'a tenant cannot use the identity of the machine (%s)',
  (type) => {
    test('as a credential that it stores, which is refused', () => {
      const shape = {
        ...{ type, baseUrl: 'https://provider.example', dialects: null, headers: {}, auth: 'own' as const },
        ...{ options: optionsOf[type] ?? {}, credentials: [{ value: ' {"type":"machine"}' }] },
      }
      expect(findProviderFaults({ ...shape, mayUseMachine: true })).toEqual([])
      const message =
        'must not use the identity of this machine; only credentials in the configuration file may'
      expect(findProviderFaults(shape)).toEqual([{ path: 'credentials.0.value', message }])
    })

    test('as one that is in its provider all the same: nothing is asked and nothing is sent', async () => {
      const server = await vendor()
      const { failure } = await sendTo(provide(type, server.url, null), requestFor('chat'))
      expect(failure?.kind).toBe('refused')
      expect(server.requests).toEqual([])
    })
  },
)

test('an identity of another vendor is a fault', () => {
  const faultsOf = (identity: object) =>
    findProviderFaults({
      ...{ type: 'vertex', baseUrl: null, dialects: null, headers: {}, auth: 'own', mayUseMachine: true },
      options: optionsOf.vertex ?? {},
      credentials: [{ value: JSON.stringify({ type: 'machine', ...identity }) }],
    }).map(({ message }) => message)
  expect(faultsOf({ from: 'web-identity' })).toEqual([
    'must have one of file, instance as `from`, or none for the first that there is',
  ])
  expect(faultsOf({ roleArn })).toEqual([
    'has `roleArn`, which this type does not know; besides `from` there is nothing',
  ])
})

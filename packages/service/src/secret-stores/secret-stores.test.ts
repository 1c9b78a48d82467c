import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getGlobalDispatcher } from 'undici'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { keysOf, serveInstanceMetadata, serveSecretsManager } from '../../../../test/harness/cloud/aws.js'
import { type CloudServer, serveCloud } from '../../../../test/harness/cloud/loopback.js'
import { serveVault } from '../../../../test/harness/cloud/vault.js'
import { startForwardProxy } from '../../../../test/harness/network/forward-proxy.js'
import { ConfigError } from '../config/index.js'
import { readConfig, readConfigWithSecrets } from '../main/index.js'
import { createAwsSecretsManager } from './aws-secrets-manager.js'
import { openSecretReader } from './index.js'

type Closable = Pick<CloudServer, 'close'>

const cwd = mkdtempSync(join(tmpdir(), 'tallystick-stores-'))
afterAll(() => rmSync(cwd, { recursive: true }))
const opened: Closable[] = []
afterEach(async () => {
  rmSync(join(cwd, 'tallystick.yaml'), { force: true })
  for (const each of opened.splice(0)) await each.close()
})

async function open<T extends Closable>(serving: Promise<T>): Promise<T> {
  const server = await serving
  opened.push(server)
  return server
}

type Env = Record<string, string>
const read = (env: Env, secrets = openSecretReader(env, cwd)) => readConfigWithSecrets({ env, cwd }, secrets)
const keyOf = async (env: Env) => (await read(env)).providers[0]?.credentials[0]?.value

async function faultsOf(env: Env): Promise<string[]> {
  try {
    await read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const secrets = { 'secret/team/openai': [{ key: 'sk-old' }, { key: 'sk-from-vault', org: 'org-1' }] }
const withToken = (extra: object = {}) =>
  serveVault({
    secrets: structuredClone(secrets),
    tokens: new Map([['hvs.given', ['secret/team/openai', 'secret/other']]]),
    ...extra,
  })

describe('Vault', () => {
  const reference = 'vault:secret/team/openai#key'

  test('is read by a token, by AppRole, and as a Kubernetes service account, in a namespace', async () => {
    const { url, state } = await open(
      withToken({
        namespace: 'team-a/',
        appRole: { roleId: 'role-1', secretId: 'secret-of-role' },
        kubernetes: { role: 'tallystick', jwts: ['jwt-of-pod'] },
      }),
    )
    const env = { VAULT_ADDR: `${url}/`, VAULT_NAMESPACE: 'team-a/', OPENAI_API_KEY: reference }
    expect(await keyOf({ ...env, VAULT_TOKEN: 'hvs.given' })).toBe('sk-from-vault')
    expect(state.renewed).toBe(1)
    const approle = { ...env, VAULT_ROLE_ID: 'role-1', VAULT_SECRET_ID: 'secret-of-role' }
    expect(await keyOf(approle)).toBe('sk-from-vault')
    expect(await keyOf({ ...approle, OPENAI_API_KEY: 'vault:secret/team/openai?version=1#key' })).toBe(
      'sk-old',
    )
    writeFileSync(join(cwd, 'jwt'), 'jwt-of-pod\n')
    const kubernetes = { VAULT_KUBERNETES_ROLE: 'tallystick', VAULT_KUBERNETES_TOKEN_FILE: join(cwd, 'jwt') }
    expect(await keyOf({ ...env, ...kubernetes })).toBe('sk-from-vault')
    expect(await faultsOf({ ...approle, VAULT_NAMESPACE: '' })).toEqual([
      `OPENAI_API_KEY: ${reference} cannot be read: the login to Vault answered 404`,
    ])
  })

  test.each([
    [
      'vault:secret/team/none#key',
      {},
      'cannot be read: Vault answered 403, so the token or its policy does not allow it',
    ],
    [
      'vault:secret/other#key',
      {},
      'cannot be read: Vault answered 404, so there is no such secret, or this version was deleted',
    ],
    [
      reference,
      { isSealed: true },
      'cannot be read: Vault answered 503, so it is sealed or down for maintenance',
    ],
    ['vault:secret/team/openai#nothing', {}, 'has no text as nothing'],
    ['vault:secret/../sys/openai#key', {}, 'must be MOUNT/PATH, optionally with ?version=N'],
  ])('%s %j is a fault that says why', async (text, state, message) => {
    const { url } = await open(withToken(state))
    const env = { VAULT_ADDR: url, VAULT_TOKEN: 'hvs.given', OPENAI_API_KEY: text }
    expect(await faultsOf(env)).toEqual([`OPENAI_API_KEY: ${text} ${message}`])
  })

  test('that is not configured or not there is a fault among all others', async () => {
    const env = { OPENAI_API_KEY: reference, TALLYSTICK_PORT: 'x' }
    expect(await faultsOf(env)).toEqual([
      'TALLYSTICK_PORT: must be a whole number from 0 to 65535',
      `OPENAI_API_KEY: ${reference} needs VAULT_ADDR`,
    ])
    expect(await faultsOf({ ...env, VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: 't' })).toContainEqual(
      `OPENAI_API_KEY: ${reference} cannot be read: Vault could not be reached (ECONNREFUSED)`,
    )
    expect(await faultsOf({ ...env, VAULT_ADDR: 'http://127.0.0.1:1' })).toEqual([
      'VAULT_ADDR: needs VAULT_TOKEN, VAULT_ROLE_ID and VAULT_SECRET_ID, or VAULT_KUBERNETES_ROLE',
      'TALLYSTICK_PORT: must be a whole number from 0 to 65535',
      `OPENAI_API_KEY: ${reference} needs correct settings of its store`,
    ])
  })

  test('is reached through the proxy of the environment, unless NO_PROXY names it', async () => {
    const { url } = await open(withToken())
    const { port } = new URL(url)
    const proxy = await open(startForwardProxy())
    const env = { VAULT_TOKEN: 'hvs.given', OPENAI_API_KEY: reference, HTTP_PROXY: proxy.url }
    const address = `http://vault.example.com:${port}`
    expect(await keyOf({ ...env, VAULT_ADDR: address })).toBe('sk-from-vault')
    expect(proxy.asked).toContain(`GET ${address}/v1/secret/data/team/openai`)
    proxy.asked.splice(0)
    expect(await keyOf({ ...env, VAULT_ADDR: url })).toBe('sk-from-vault')
    await faultsOf({ ...env, VAULT_ADDR: address, NO_PROXY: 'example.com' })
    expect(proxy.asked).toEqual([])
  })

  test('gives a new token for one that was revoked, and reads once what is used twice', async () => {
    const vault = await open(withToken({ appRole: { roleId: 'r', secretId: 's' } }))
    const env = {
      ...{ VAULT_ADDR: vault.url, VAULT_ROLE_ID: 'r', VAULT_SECRET_ID: 's' },
      ...{ OPENAI_API_KEY: reference, MISTRAL_API_KEY: 'vault:secret/team/openai#org' },
    }
    const reader = openSecretReader(env, cwd)
    await read(env, reader)
    expect(vault.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    vault.state.tokens.clear()
    expect((await read(env, reader)).providers).toHaveLength(2)
    expect(vault.requests.map(({ method }) => method).slice(2)).toEqual(['GET', 'POST', 'GET'])
  })

  test('that is down later costs nothing: the values stay, and it is known which', async () => {
    const vault = await open(withToken())
    const env = { VAULT_ADDR: vault.url, VAULT_TOKEN: 'hvs.given', OPENAI_API_KEY: reference }
    const reader = openSecretReader(env, cwd)
    await read(env, reader)
    vault.state.isSealed = true
    expect(await reader.hasChanges()).toBe(false)
    expect((await read(env, reader)).providers[0]?.credentials[0]?.value).toBe('sk-from-vault')
    expect([...reader.outages()]).toEqual([[reference, expect.stringContaining('it is sealed')]])
    vault.state.isSealed = false
    vault.state.secrets['secret/team/openai']?.push({ key: 'sk-rotated' })
    expect(await reader.hasChanges()).toBe(true)
    expect((await read(env, reader)).providers[0]?.credentials[0]?.value).toBe('sk-rotated')
    expect(await reader.hasChanges()).toBe(false)
    expect([...reader.outages()]).toEqual([])
  })
})

test('AWS Secrets Manager is read with the identity of the machine, by name and by ARN', async () => {
  const region = 'eu-central-1'
  const arn = `arn:aws:secretsmanager:${region}:1:secret:prod/openai-AbCdEf`
  const { url } = await open(
    serveSecretsManager(region, 'instance', {
      'prod/openai': { SecretString: '{"key":"sk-from-aws"}' },
      [arn]: { SecretString: 'sk-plain' },
      binary: { SecretBinary: 'c2s=' },
    }),
  )
  const metadata = await open(serveInstanceMetadata('role'))
  const env = {
    ...{ AWS_ENDPOINT_URL_SECRETS_MANAGER: url, AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url },
    AWS_REGION: region,
  }
  const faultOf = async (text: string, extra: Env = {}) =>
    (await faultsOf({ ...env, OPENAI_API_KEY: text, ...extra })).join()
  expect(await keyOf({ ...env, OPENAI_API_KEY: 'aws-sm:prod/openai#key' })).toBe('sk-from-aws')
  expect(await keyOf({ ...env, OPENAI_API_KEY: `aws-sm:${arn}`, AWS_REGION: '' })).toBe('sk-plain')
  expect(await faultOf('aws-sm:none')).toMatch(/answered 400 \(ResourceNotFoundException\)$/)
  expect(await faultOf('aws-sm:binary')).toMatch(/is binary; only text can be used$/)
  expect(await faultOf('aws-sm:none', { AWS_REGION: '' })).toMatch(
    /needs AWS_REGION, or the ARN of the secret$/,
  )
  expect(await faultOf('aws-sm:prod/openai', { AWS_EC2_METADATA_DISABLED: 'true' })).toMatch(
    /cannot be read: There are no AWS credentials \(environment: .*; instance: AWS_EC2_METADATA_DISABLED is true\)$/,
  )
  const others = { AWS_ACCESS_KEY_ID: keysOf('web').accessKeyId, AWS_SECRET_ACCESS_KEY: 'other' }
  expect(await faultOf('aws-sm:prod/openai', others)).toMatch(/\(InvalidSignatureException\)$/)
})

test('keys of the machine that AWS Secrets Manager refuses are fetched again, once', async () => {
  const region = 'eu-central-1'
  const metadata = await open(serveInstanceMetadata('role'))
  let refusals = 0
  let nowMs = Date.now()
  const store = await open(
    serveCloud(() =>
      refusals-- > 0
        ? { status: 400, body: { __type: 'com.amazonaws#UnrecognizedClientException' } }
        : { body: { SecretString: 'sk-from-aws' } },
    ),
  )
  const environment = {
    ...{ AWS_ENDPOINT_URL_SECRETS_MANAGER: store.url, AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url },
  }
  const manager = createAwsSecretsManager(
    { machine: environment, awsRegion: region },
    getGlobalDispatcher(),
    () => nowMs,
  )
  expect(await manager.read('prod')).toBe('sk-from-aws')
  const fetched = metadata.requests.length
  nowMs += 60_000
  refusals = 1
  expect(await manager.read('prod')).toBe('sk-from-aws')
  expect(metadata.requests).toHaveLength(fetched * 2)
  refusals = 1
  await expect(manager.read('prod')).rejects.toThrow('(UnrecognizedClientException)')
  expect(metadata.requests).toHaveLength(fetched * 2)
})

test('references in tallystick.yaml and to this machine are read, and elsewhere they are text', async () => {
  const { url } = await open(withToken())
  writeFileSync(join(cwd, 'groq.json'), '{"key":"sk-groq"}\n')
  writeFileSync(
    join(cwd, 'tallystick.yaml'),
    `providers:
  openai: { type: openai, apiKey: "vault:secret/\${TEAM}/openai#key", headers: { openai-organization: "vault:secret/team/openai#org" } }
  groq: { type: groq, credentials: [{ name: a, value: "file:groq.json#key" }, { name: b, value: "env:OTHER" }, { name: c, value: "\${REFERS}" }] }
mcpServers:
  - { name: files, command: "env:files", env: { TOKEN: "env:OTHER" }, resources: ["file:///srv/*"] }
`,
  )
  const env = {
    ...{ VAULT_ADDR: url, VAULT_TOKEN_FILE: join(cwd, 'token'), TEAM: 'team', OTHER: 'sk-other' },
    REFERS: 'env:OTHER',
  }
  writeFileSync(join(cwd, 'token'), 'hvs.given\n')
  const { providers, mcpServers } = await read(env)
  expect(providers[0]).toMatchObject({
    credentials: [{ value: 'sk-from-vault' }],
    headers: { 'openai-organization': 'org-1' },
  })
  expect(providers[1]?.credentials.map(({ value }) => value)).toEqual(['sk-groq', 'sk-other', 'sk-other'])
  expect(mcpServers).toMatchObject([
    { transport: { command: 'env:files', env: { TOKEN: 'sk-other' } }, resources: ['file:///srv/*'] },
  ])
})

test('what a secret contains is not read as a reference', async () => {
  const { url } = await open(withToken({ secrets: { 'secret/team/openai': [{ key: 'env:HOME' }] } }))
  const env = {
    VAULT_ADDR: url,
    VAULT_TOKEN: 'hvs.given',
    HOME: '/root',
    KEY: 'vault:secret/team/openai#key',
  }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the file reads it from the environment
  writeFileSync(join(cwd, 'tallystick.yaml'), 'providers: { openai: { type: openai, apiKey: "${KEY}" } }\n')
  expect(await keyOf(env)).toBe('env:HOME')
})

test('a fault of a reference names it and its setting, once; a program that reads no stores says so', async () => {
  const env = { OPENAI_API_KEY: 'env:NOT_SET', MISTRAL_API_KEY: 'file:none', XAI_API_KEY: 'vault:a/b#c' }
  expect(await faultsOf({ ...env, XAI_API_KEY: '' })).toEqual([
    'OPENAI_API_KEY: env:NOT_SET is not set',
    'MISTRAL_API_KEY: file:none cannot be read (ENOENT)',
  ])
  expect(() => readConfig({ env, cwd })).toThrow('vault:a/b#c: is in a secret store, which is not read here')
})

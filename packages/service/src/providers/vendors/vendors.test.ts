import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  credential,
  providerFor,
  requestFor,
  sendTo,
  serveVendor,
  type VendorServer,
} from '../../../../../test/harness/providers/vendor-server.js'
import { endpoints } from '../endpoints/index.js'
import type { Provider } from '../provider.js'
import { findProviderFaults } from '../provider-faults.js'
import { vendors } from './index.js'

let server: VendorServer
const opened: Provider[] = []
beforeAll(async () => {
  server = await serveVendor((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(request.path === '/token' ? '{"access_token":"ya29.token","expires_in":3600}' : '{}')
  })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ transport }) => transport.close()))
  server.arrived.length = 0
})
afterAll(() => server.close())

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const serviceAccount = () =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'robot@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    token_uri: `${server.url}/token`,
  })

interface Special {
  root?: string
  options?: Record<string, string>
  credential?: () => string
  model?: string
}
/** What must be set for a vendor beside the address of the server. */
const special: Record<string, Special> = {
  openai: { root: '/v1' },
  anthropic: { root: '/v1' },
  cohere: { root: '/compatibility/v1' },
  vertex: { options: { project: 'my-project', region: 'europe-west1' }, credential: serviceAccount },
  bedrock: { options: { region: 'eu-central-1' }, model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0' },
}

const anthropicPath = '/anthropic/v1/messages'
const googlePlace = '/v1/projects/my-project/locations/europe-west1'
/** By vendor and dialect: where a plain call goes, if not below the base URL. */
const paths: Record<string, Record<string, string>> = {
  cohere: { rerank: '/v2/rerank' },
  bedrock: {
    messages: '/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke',
    chat: '/openai/v1/chat/completions',
    responses: '/openai/v1/responses',
  },
  vertex: {
    messages: `${googlePlace}/publishers/anthropic/models/some-model:rawPredict`,
    count_tokens: `${googlePlace}/publishers/anthropic/models/count-tokens:rawPredict`,
    chat: `${googlePlace}/endpoints/openapi/chat/completions`,
  },
  deepseek: { messages: anthropicPath },
  moonshot: { messages: anthropicPath },
}
/** The header that proves who calls. */
function keyHeaderOf(type: string, path: string): string {
  if (type === 'azure-openai') return 'api-key'
  const takesAnthropicKeys = type === 'anthropic' || type === 'deepseek'
  return takesAnthropicKeys && path.startsWith('/messages') ? 'x-api-key' : 'authorization'
}

const everyPair = [...vendors.values()].flatMap(({ type, dialects: names }) =>
  names.filter((name) => name in endpoints).map((name) => [type, name] as const),
)
const isDialect = (name: string): name is keyof typeof endpoints => name in endpoints

const callersKey = 'tallystick_sk_of_the_caller'
const callersHeaders = {
  authorization: `Bearer ${callersKey}`,
  'x-api-key': callersKey,
  'x-goog-api-key': callersKey,
  'api-key': callersKey,
  'x-tallystick-key': callersKey,
  cookie: callersKey,
  'x-amz-security-token': callersKey,
}

describe('every vendor', () => {
  test.each(everyPair)(
    '%s gets %s at its path, with its credential and nothing of the caller’s',
    async (type, name) => {
      if (!isDialect(name)) throw new Error(`there is no dialect ${name}`)
      const { root = '', options = {}, credential: make, model = 'some-model' } = special[type] ?? {}
      const provider = providerFor({
        type,
        baseUrl: server.url + root,
        options,
        ...(make && { credentials: [credential(make())] }),
      })
      opened.push(provider)
      const dialect = endpoints[name]
      const headers = provider.pickHeaders(callersHeaders, { contextWindow: null })
      const answered = await sendTo(provider, requestFor(name, { model, headers }))
      expect(answered).toMatchObject({ status: 200, failure: null })

      const [arrived] = server.arrived.filter(({ path }) => path !== '/token')
      expect(arrived).toMatchObject({
        method: 'POST',
        path: paths[type]?.[name] ?? (type === 'azure-openai' ? '/openai/v1' : root) + dialect.path,
      })
      const header = keyHeaderOf(type, dialect.path)
      const value = make ? 'ya29.token' : 'secret-key'
      expect(arrived?.headers[header]).toBe(header === 'authorization' ? `Bearer ${value}` : value)
      expect(arrived?.headers['accept-encoding']).toBe('identity')
      expect(JSON.stringify(server.arrived)).not.toContain(callersKey)
    },
  )

  test.each([...vendors.values()].map(({ type }) => [type] as const))(
    '%s is called at an https address of its own, unless it runs on this machine or must be told',
    (type) => {
      const vendor = vendors.get(type)
      const { options = {} } = special[type] ?? {}
      const address = vendor?.baseUrlFor?.(options) ?? vendor?.baseUrl
      if (type === 'azure-openai') expect(address).toBeNull()
      else expect(address).toMatch(/^(https:\/\/[a-z0-9.-]+|http:\/\/127\.0\.0\.1:\d+)(\/|$)/)
    },
  )
})

async function arrivedAt(
  settings: Parameters<typeof providerFor>[0],
  request: ReturnType<typeof requestFor>,
): Promise<(typeof server.arrived)[number]> {
  const provider = providerFor(settings)
  opened.push(provider)
  await sendTo(provider, request)
  const arrived = server.arrived.at(-1)
  if (arrived === undefined) throw new Error('nothing arrived')
  return arrived
}

test('Anthropic is called below /v1, whether the base URL has it or not', async () => {
  const { path } = await arrivedAt({ type: 'anthropic', baseUrl: server.url }, requestFor('messages'))
  expect(path).toBe('/v1/messages')
})

describe('the query', () => {
  test('of the caller goes along, and cannot change what the operator set', async () => {
    const { path } = await arrivedAt(
      { type: 'openai', baseUrl: `${server.url}/v1?api-version=1` },
      requestFor('chat', { query: 'beta=true&api%2Dversion=2&x=%26' }),
    )
    expect(path).toBe('/v1/chat/completions?api-version=1&beta=true&x=%26')
  })

  test('stays here where the vendor has no use for it', async () => {
    const { path } = await arrivedAt(
      { type: 'bedrock', baseUrl: server.url, options: { region: 'eu-central-1' } },
      requestFor('messages', { query: 'beta=true' }),
    )
    expect(path).toBe('/model/some-model/invoke')
  })
})

test('headers of the operator go along, in place of the caller’s', async () => {
  const { headers } = await arrivedAt(
    { type: 'openai', baseUrl: server.url, headers: { 'x-team': 'a', accept: 'application/json' } },
    requestFor('chat', { headers: { accept: 'text/event-stream' } }),
  )
  expect(headers).toMatchObject({ 'x-team': 'a', accept: 'application/json' })
})

describe('servers that refuse what they do not know', () => {
  test.each(['mistral', 'cohere'])(
    '%s gets no stream_options, and one maximum; the rest keeps its bytes',
    async (type) => {
      const body = Buffer.from(
        '{ "model":"m","stream_options":{"include_usage":true}, "seed":1.50, "max_completion_tokens":5,"max_tokens":5 }',
      )
      const arrived = await arrivedAt({ type, baseUrl: server.url }, requestFor('chat', { body }))
      expect(arrived.body).toBe('{ "model":"m", "seed":1.50,"max_tokens":5 }')
    },
  )

  test('a maximum that stands in one member alone is never left out', async () => {
    const body = Buffer.from('{"max_completion_tokens":5}')
    const arrived = await arrivedAt({ type: 'mistral', baseUrl: server.url }, requestFor('chat', { body }))
    expect(arrived.body).toBe('{"max_completion_tokens":5}')
  })
})

describe('Azure', () => {
  test.each([
    ['', undefined, 'chat', '/openai/v1/chat/completions'],
    ['/openai/v1', undefined, 'chat', '/openai/v1/chat/completions'],
    ['/openai', '2024-10-21', 'chat', '/openai/deployments/gpt%204/chat/completions?api-version=2024-10-21'],
    ['', '2024-10-21', 'embeddings', '/openai/deployments/gpt%204/embeddings?api-version=2024-10-21'],
    ['', '2025-04-01-preview', 'responses', '/openai/responses?api-version=2025-04-01-preview'],
  ] as const)(
    'with the base path %j and the version %s is called for %s at %s',
    async (root, apiVersion, name, path) => {
      const arrived = await arrivedAt(
        { type: 'azure-openai', baseUrl: server.url + root, options: apiVersion ? { apiVersion } : {} },
        requestFor(name, { model: 'gpt 4', query: 'api-version=1999-01-01' }),
      )
      expect(arrived.path).toBe(apiVersion ? path : `${path}?api-version=1999-01-01`)
      expect(arrived.headers['api-key']).toBe('secret-key')
    },
  )
})

describe('what is set of a provider', () => {
  const shape = {
    type: 'openai',
    baseUrl: null,
    dialects: null,
    headers: {},
    auth: 'own' as const,
    options: {},
    credentials: [],
    mayUseMachine: false,
  }
  test('is checked whole, and nothing that may be a secret is repeated', () => {
    const faults = findProviderFaults({
      ...shape,
      type: 'bedrock',
      dialects: ['messages', 'embeddings'],
      headers: { 'X-Upper': 'a', host: 'evil', 'x-line': 'a\r\nb: c', 'x-ok': 'fine' },
      options: { region: 'moon', zone: 'a' },
      credentials: [{ value: 'with blank' }, { value: '{"accessKeyId":"AKIA"}' }],
    })
    expect(faults.map(({ path }) => path).sort()).toEqual([
      'credentials.0.value',
      'credentials.1.value',
      'dialects.1',
      'headers.X-Upper',
      'headers.host',
      'headers.x-line',
      'options.region',
      'options.zone',
    ])
    expect(JSON.stringify(faults)).not.toMatch(/with blank|AKIA|moon|evil/)
  })

  test('needs an address and options where the vendor has none of its own', () => {
    expect(findProviderFaults({ ...shape, type: 'azure-openai' })).toEqual([
      { path: 'baseUrl', message: 'is required for type azure-openai' },
    ])
    expect(findProviderFaults({ ...shape, type: 'vertex' }).map(({ path }) => path)).toEqual([
      'options.project',
      'options.region',
    ])
    expect(findProviderFaults({ ...shape, options: { region: 'a' } })).toEqual([
      { path: 'options.region', message: 'this type has no options' },
    ])
  })

  test('has no credentials where the caller brings its own', () => {
    const faults = findProviderFaults({ ...shape, auth: 'caller', credentials: [{ value: 'k' }] })
    expect(faults).toMatchObject([{ path: 'credentials' }])
  })

  test('may name a file of this machine only in the operator’s file', () => {
    const value = JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/x',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.googleapis.com/v1/token',
      credential_source: { file: '/var/run/token' },
    })
    const vertex = { ...shape, type: 'vertex', options: { project: 'abc', region: 'global' } }
    const faultsWith = (value: string, mayUseMachine: boolean) =>
      findProviderFaults({ ...vertex, credentials: [{ value }], mayUseMachine })
    expect(faultsWith(value, true)).toEqual([])
    expect(faultsWith(value, false)).toMatchObject([{ path: 'credentials.0.value' }])
    for (const wrong of ['key', '{}', '{"type":"service_account"}', value.replace('"file"', '"url"')])
      expect(faultsWith(wrong, true)).toMatchObject([{ path: 'credentials.0.value' }])
  })
})

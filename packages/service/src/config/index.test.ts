import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoints, vendorRules as known } from '../providers/index.js'
import { ConfigError, loadConfig } from './index.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tallystick-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const load = (env: Record<string, string> = {}, yaml?: string) => {
  if (yaml !== undefined) writeFileSync(join(cwd, 'tallystick.yaml'), yaml)
  return loadConfig({ env, cwd, known })
}

/** The faults, without the path of the file in front. */
function faultsOf(env: Record<string, string>, yaml?: string): string[] {
  try {
    load(env, yaml)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.faults.map((fault) => fault.replace(`${join(cwd, 'tallystick.yaml')}: `, ''))
    throw error
  }
  return []
}

test('an empty environment is enough', () => {
  expect(load()).toEqual({
    host: '127.0.0.1',
    port: 7070,
    publicUrl: null,
    tls: null,
    tlsFilesHash: null,
    proxies: null,
    oidc: null,
    trustedProxies: [],
    dataDir: join(cwd, '.tallystick'),
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseReadUrl: null,
    databaseReadMaxLagMs: 30_000,
    databaseConnections: 10,
    redisUrl: null,
    backupPassphrase: null,
    bootstrapKey: null,
    masterKey: null,
    signingKey: null,
    strictness: {
      strict: false,
      because: 'it listens on 127.0.0.1 alone and NODE_ENV is not production',
    },
    allowedRanges: [],
    logLevel: 'info',
    logFormat: 'auto',
    logColour: true,
    drainMs: 0,
    shutdownGraceMs: 30_000,
    clientStallMs: 60_000,
    listenBacklog: 4_096,
    workers: 'auto',
    workerSilenceMs: 30_000,
    secretsRefreshMs: 300_000,
    providers: [],
    machine: {},
    models: {},
    mcpServers: [],
    pricesFile: null,
    packsDir: null,
    callsRetentionDays: 400,
    growth: { usageHoursDays: 400, sealsDays: 30, auditDays: 0 },
    anchor: { type: 'none' },
    streamHoldBackChars: 256,
    webhooks: { retentionDays: 30 },
    sinkBuckets: [],
    traces: null,
    logExport: null,
  })
})

test('every variable is read, and the result cannot be changed', () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const config = load({
    TALLYSTICK_HOST: '0.0.0.0',
    TALLYSTICK_PORT: ' 8080 ',
    TALLYSTICK_DATA_DIR: 'data',
    DATABASE_URL: 'postgres://u:p@db/x',
    TALLYSTICK_BOOTSTRAP_KEY: `tallystick_sk_${'a'.repeat(40)}`,
    TALLYSTICK_SIGNING_KEY: pem,
    NODE_ENV: 'production',
    TALLYSTICK_LOG_LEVEL: 'debug',
    TALLYSTICK_LOG_FORMAT: 'pretty',
    NO_COLOR: '1',
    TALLYSTICK_SHUTDOWN_GRACE_MS: '0',
    TALLYSTICK_DRAIN_MS: '7',
    TALLYSTICK_CLIENT_STALL_MS: '0',
    TALLYSTICK_LISTEN_BACKLOG: '511',
    TALLYSTICK_DATABASE_DIRECT_URL: 'postgres://u:p@db:5433/x',
    TALLYSTICK_DATABASE_READ_URL: 'postgres://u:p@replica/x',
    TALLYSTICK_DATABASE_READ_MAX_LAG_MS: '500',
    TALLYSTICK_DATABASE_CONNECTIONS: '3',
    TALLYSTICK_WORKERS: '12',
    TALLYSTICK_WORKER_SILENCE_MS: '0',
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_BASE_URL: 'http://localhost:1/',
  })
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 8080,
    dataDir: join(cwd, 'data'),
    databaseUrl: 'postgres://u:p@db/x',
    databaseDirectUrl: 'postgres://u:p@db:5433/x',
    databaseReadUrl: 'postgres://u:p@replica/x',
    databaseReadMaxLagMs: 500,
    databaseConnections: 3,
    strictness: { strict: true, because: 'NODE_ENV is production' },
    bootstrapKey: `tallystick_sk_${'a'.repeat(40)}`,
    signingKey: pem.trim(),
    logLevel: 'debug',
    logFormat: 'pretty',
    logColour: false,
    shutdownGraceMs: 0,
    drainMs: 7,
    clientStallMs: 0,
    listenBacklog: 511,
    workers: 12,
    workerSilenceMs: 0,
    providers: [
      {
        name: 'openai',
        type: 'openai',
        credentials: [{ value: 'sk-1' }],
        baseUrl: 'https://api.openai.com/v1',
      },
      { name: 'anthropic', type: 'anthropic', credentials: [], baseUrl: 'http://localhost:1' },
    ],
  })
  expect(Object.isFrozen(config)).toBe(true)
})

test('a variable that is set to nothing counts as unset', () => {
  expect(load({ TALLYSTICK_PORT: '', DATABASE_URL: ' ', OPENAI_API_KEY: '' })).toMatchObject({
    port: 7070,
    databaseUrl: null,
    providers: [],
  })
})

test('the file configures providers, models and prices, with secrets from the environment', () => {
  writeFileSync(join(cwd, 'prices.json'), '{}')
  const config = load(
    { LOCAL_KEY: 'sk-local', OPENAI_API_KEY: 'sk-env' },
    `providers:
  openai: { type: openai, apiKey: sk-file }
  local: { type: openai, baseUrl: "http://127.0.0.1:1/v1", apiKey: "\${LOCAL_KEY}", dialects: [chat], timeouts: { idleMs: 5 } }
models:
  small: { provider: local, model: llama, price: free, maxOutputTokens: 100 }
  exact: { provider: openai, price: { inputUsdPerMTok: 12345.678001, outputUsdPerMTok: 0.000001 } }
  mocked: { provider: mock, price: free }
pricesFile: prices.json
`,
  )
  expect(config.providers).toMatchObject([
    { name: 'openai', credentials: [{ name: 'default', value: 'sk-file', weight: 1 }] },
    {
      name: 'local',
      credentials: [{ value: 'sk-local' }],
      dialects: ['chat'],
      pricesOf: 'local',
      timeouts: { idleMs: 5, connectMs: 5_000 },
    },
  ])
  expect(config.models.small).toEqual({
    provider: 'local',
    model: 'llama',
    price: 'free',
    maxOutputTokens: 100,
  })
  expect(config.pricesFile).toBe(join(cwd, 'prices.json'))
})

test('a file that was named elsewhere is read, and names its own neighbours', () => {
  mkdirSync(join(cwd, 'etc'))
  writeFileSync(join(cwd, 'etc', 'prices.json'), '{}')
  writeFileSync(join(cwd, 'etc', 'mine.yaml'), 'pricesFile: prices.json')
  expect(load({ TALLYSTICK_CONFIG: 'etc/mine.yaml' }).pricesFile).toBe(join(cwd, 'etc', 'prices.json'))
})

test('every mistake is reported at once, those of the variables and those of the file', () => {
  const env = {
    TALLYSTICK_PORT: '99999',
    TALLYSTICK_SHUTDOWN_GRACE_MS: '-1',
    TALLYSTICK_DRAIN_MS: 'some',
    DATABASE_URL: 'mysql://x',
    REDIS_URL: 'http://x',
    TALLYSTICK_BOOTSTRAP_KEY: 'short',
    TALLYSTICK_SIGNING_KEY: 'nowhere.pem',
    TALLYSTICK_LOG_LEVEL: 'loud',
    TALLYSTICK_LOG_FORMAT: 'xml',
    OPENAI_BASE_URL: 'ftp://x',
  }
  const yaml = `provider: {}
providers:
  openai2: { typ: openai, apiKey: "\${UNSET_ONE}" }
  azure: { type: azure }
  spoken: { type: openai, dialects: [chat, latin] }
  Bad Name: { type: openai }
  mock: { type: openai }
models:
  a: { provider: nobody }
  b: { provider: azure, price: { inputUsdPerMTok: 0.0000001, outputUsdPerMTok: 1 } }
  c: { provider: openai2, price: { inputUsdPerMTok: -1 } }
  d: { provider: openai2, price: cheap }
  e: { provider: openai2, maxOutputTokens: many }
pricesFile: nowhere.json
`
  expect(faultsOf(env, yaml).sort()).toEqual(
    [
      'TALLYSTICK_PORT: must be a whole number from 0 to 65535',
      'TALLYSTICK_SHUTDOWN_GRACE_MS: must be a whole number from 0 to 3600000',
      'TALLYSTICK_DRAIN_MS: must be a whole number from 0 to 600000',
      'DATABASE_URL: must be a URL that starts with postgres:// or postgresql://',
      'REDIS_URL: must be a URL that starts with redis:// or rediss://',
      'TALLYSTICK_BOOTSTRAP_KEY: must be tallystick_sk_ followed by 20 to 200 letters and digits',
      'TALLYSTICK_SIGNING_KEY: must be an Ed25519 private key in PEM form, or the path of a readable file with one',
      'TALLYSTICK_LOG_LEVEL: must be one of silent, fatal, error, warn, info, debug, trace',
      'TALLYSTICK_LOG_FORMAT: must be one of auto, json, pretty',
      'OPENAI_BASE_URL: must be an http or https URL',
      'provider: unknown field',
      `\${UNSET_ONE} is used, but the variable UNSET_ONE is not set`,
      'providers.openai2.type: is required',
      'providers.openai2.typ: unknown field',
      `providers.azure.type: must be one of ${[...known.types.keys()].join(', ')}`,
      `providers.spoken.dialects.1: must be one of ${Object.keys(endpoints).join(', ')}`,
      'providers.Bad Name: a provider is named with a-z, 0-9, hyphen and underscore, starting with a letter or digit',
      'providers.mock: the name "mock" belongs to the built-in mock provider',
      'models.a.provider: there is no such provider (configured: openai2, azure, spoken, Bad Name, mock, openai)',
      'models.b.price.inputUsdPerMTok: at most 6 decimal places, not 1e-7',
      'models.c.price.inputUsdPerMTok: must be >= 0',
      'models.c.price.outputUsdPerMTok: is required',
      'models.d.price: must be "free", or an object with inputUsdPerMTok and outputUsdPerMTok',
      'models.e.maxOutputTokens: must be integer',
      `pricesFile: ${join(cwd, 'nowhere.json')} cannot be read`,
    ].sort(),
  )
})

describe('the price of a model', () => {
  test('has all that a price can have', () => {
    const yaml = `
models:
  m:
    provider: mock
    contextWindow: 200000
    maxOutputTokens: 8192
    outputField: max_completion_tokens
    tokenizer: cl100k
    price:
      inputUsdPerMTok: 2
      outputUsdPerMTok: 8
      cacheReadUsdPerMTok: 0.5
      cacheWriteUsdPerMTok: 2.5
      cacheWriteHourUsdPerMTok: 4
      audioInputUsdPerMTok: 32
      audioOutputUsdPerMTok: 64
      imageUsd: 0.039
      longer:
        - { aboveInputTokens: 128000, inputUsdPerMTok: 4, outputUsdPerMTok: 12 }
        - { aboveInputTokens: 272000, inputUsdPerMTok: 8, outputUsdPerMTok: 24 }
      tiers:
        priority: { inputUsdPerMTok: 3.5, outputUsdPerMTok: 14 }
        us: { factor: 1.1 }
      feesUsd: { web_search: 0.01, web_fetch: 0 }`
    expect(load({}, yaml).models.m).toMatchObject({
      contextWindow: 200_000,
      outputField: 'max_completion_tokens',
      tokenizer: 'cl100k',
      price: {
        longer: [{ aboveInputTokens: 128_000 }, { aboveInputTokens: 272_000 }],
        tiers: { priority: { inputUsdPerMTok: 3.5 }, us: { factor: 1.1 } },
        feesUsd: { web_search: 0.01, web_fetch: 0 },
      },
    })
  })

  test('is refused where it cannot be used, each fault by its place', () => {
    const price = (more: string) =>
      `{ provider: mock, price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1, ${more} } }`
    const yaml = `
models:
  a: ${price('longer: [{ aboveInputTokens: 9, inputUsdPerMTok: 1, outputUsdPerMTok: 1 }, { aboveInputTokens: 9, inputUsdPerMTok: 1.0000001, outputUsdPerMTok: 1 }]')}
  b: ${price('tiers: { us: { factor: 1.0001 }, flex: { inputUsdPerMTok: 1 }, nothing: {}, half: { factor: 1, longer: [] } }')}
  c: ${price('feesUsd: { web_search: -1 }')}
  d: ${price('audioUsd: 1')}
  e: ${price('tiers: { fast+us: { factor: 2 } }')}
  f: { provider: mock, price: free, tokenizer: morse, outputField: max, maxInputTokens: 5 }`
    expect(faultsOf({}, yaml).sort()).toEqual([
      'models.a.price.longer.1.aboveInputTokens: must be above the one before',
      'models.a.price.longer.1.inputUsdPerMTok: at most 6 decimal places, not 1.0000001',
      'models.b.price.tiers.flex: must have a factor, or inputUsdPerMTok and outputUsdPerMTok',
      'models.b.price.tiers.half: must have a factor, or inputUsdPerMTok and outputUsdPerMTok',
      'models.b.price.tiers.nothing: must have a factor, or inputUsdPerMTok and outputUsdPerMTok',
      'models.b.price.tiers.us.factor: at most 3 decimal places, not 1.0001',
      'models.c.price.feesUsd.web_search: must be >= 0',
      'models.d.price.audioUsd: unknown field',
      'models.e.price.tiers.fast+us: unknown field',
      'models.f.maxInputTokens: unknown field',
      'models.f.outputField: must be one of max_tokens, max_completion_tokens',
      'models.f.tokenizer: must be one of o200k, cl100k, claude, bytes',
    ])
  })
})

describe('a file that is no configuration at all', () => {
  test.each([
    ['broken', 'a: [1', /^not valid YAML: .*line 1, column 6$/],
    [
      'a name twice',
      'models: {}\nmodels: {}',
      /^not valid YAML: Map keys must be unique at line 2, column 1$/,
    ],
    ['two documents', 'models: {}\n---\nmodels: {}', /^not valid YAML/],
    ['an alias without an anchor', 'models: *secret', /^not valid YAML: an alias leads nowhere/],
    ['a list', '- a', /^the file: must be object$/],
    ['a text', 'hello', /^the file: must be object$/],
  ])('%s', (_, yaml, fault) => {
    expect(faultsOf({}, yaml)).toEqual([expect.stringMatching(fault)])
  })

  test('an empty one is fine', () => {
    expect(faultsOf({}, '# nothing yet\n')).toEqual([])
  })

  test('one that was named and is not there', () => {
    expect(faultsOf({ TALLYSTICK_CONFIG: 'gone.yaml' })).toEqual([
      `TALLYSTICK_CONFIG: there is no file ${join(cwd, 'gone.yaml')}`,
    ])
  })

  test('one that cannot be read', () => {
    mkdirSync(join(cwd, 'tallystick.yaml'))
    expect(faultsOf({})).toEqual(['cannot be read (EISDIR)'])
  })
})

test('a signing key of another kind is refused before anything starts', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
  expect(faultsOf({ TALLYSTICK_SIGNING_KEY: rsa })).toEqual([
    'TALLYSTICK_SIGNING_KEY: is a key of type rsa; it must be Ed25519',
  ])
  const cut = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----'
  expect(faultsOf({ TALLYSTICK_SIGNING_KEY: cut })).toEqual([
    'TALLYSTICK_SIGNING_KEY: is not an unencrypted private key in PEM form',
  ])
})

test('it drains before it stops where others may balance it, and not in a local trial', () => {
  expect(load({ NODE_ENV: 'production' }).drainMs).toBe(5_000)
  expect(load({ TALLYSTICK_DRAIN_MS: '100' }).drainMs).toBe(100)
})

test('a URL past a pooler needs the pooler, a replica its primary, and the pool has room for work that needs two connections at once', () => {
  expect(
    faultsOf({
      TALLYSTICK_DATABASE_DIRECT_URL: 'postgres://db/x',
      TALLYSTICK_DATABASE_READ_URL: 'postgres://replica/x',
      TALLYSTICK_DATABASE_CONNECTIONS: '2',
    }).sort(),
  ).toEqual([
    'TALLYSTICK_DATABASE_CONNECTIONS: must be a whole number from 3 to 1000',
    'TALLYSTICK_DATABASE_DIRECT_URL: needs DATABASE_URL, the pooler that it leads past',
    'TALLYSTICK_DATABASE_READ_URL: needs DATABASE_URL, the primary of that replica',
  ])
})

test('the number of workers is a whole number or left to the service', () => {
  expect(load({ TALLYSTICK_WORKERS: 'auto' }).workers).toBe('auto')
  for (const text of ['0', '1000', '1.5', 'many'])
    expect(faultsOf({ TALLYSTICK_WORKERS: text })).toEqual([
      'TALLYSTICK_WORKERS: must be a whole number from 1 to 999, or auto',
    ])
})

test('the mock provider is there outside production only', () => {
  const yaml = 'models: { a: { provider: mock, price: free } }'
  expect(faultsOf({}, yaml)).toEqual([])
  expect(faultsOf({ NODE_ENV: 'production' }, yaml)).toEqual([
    'models.a.provider: there is no such provider (none is configured)',
  ])
})

test('no fault repeats a value: it may be a secret, or a secret in the wrong place', () => {
  const secret = 'hunter2-very-secret'
  const env = Object.fromEntries(
    [
      'TALLYSTICK_PORT',
      'TALLYSTICK_SHUTDOWN_GRACE_MS',
      'DATABASE_URL',
      'TALLYSTICK_DATABASE_DIRECT_URL',
      'TALLYSTICK_DATABASE_READ_URL',
      'REDIS_URL',
      'TALLYSTICK_BOOTSTRAP_KEY',
      'TALLYSTICK_SIGNING_KEY',
      'TALLYSTICK_LOG_LEVEL',
      'OPENAI_BASE_URL',
      'ANTHROPIC_BASE_URL',
      'OPENAI_API_KEY',
      'SECRET',
    ].map((name) => [name, secret]),
  )
  const files = [
    `providers: { a: { type: "\${SECRET}", apiKey: "\${SECRET}", baseUrl: "\${SECRET}" }, b: { type: openai, baseUrl: "\${SECRET}" } }
models: { m: { provider: "\${SECRET}", price: "\${SECRET}" }, n: { provider: "\${SECRET}" } }`,
    `- x\napiKey: ${secret}`,
    `a: '${secret}`,
    `a: *${secret}`,
    `a: ${secret}: b`,
    `a: "\\${secret}"`,
  ]
  for (const yaml of files) {
    const faults = faultsOf(env, yaml)
    expect(faults.length).toBeGreaterThan(8)
    expect(faults.join('\n')).not.toContain(secret)
  }
})

describe('where checkpoints are anchored', () => {
  test('a variable names a file or an authority, and wins over the file', () => {
    const yaml = 'anchor: { type: file, path: ./anchors.jsonl }'
    expect(load({}, yaml).anchor).toEqual({ type: 'file', path: join(cwd, 'anchors.jsonl') })
    expect(load({ TALLYSTICK_ANCHOR_FILE: 'other.jsonl' }).anchor).toEqual({
      type: 'file',
      path: join(cwd, 'other.jsonl'),
    })
    const url = 'http://tsa.example/tsr'
    expect(load({ TALLYSTICK_ANCHOR_TSA_URL: url }).anchor).toEqual({ type: 'rfc3161', url })
  })

  test.each([
    ['anchor: { type: paper }', 'anchor.type: must be one of none, file, rfc3161'],
    ['anchor: { type: file }', 'anchor.path: is required'],
    ['anchor: { type: rfc3161 }', 'anchor.url: is required'],
    ['anchor: { type: rfc3161, url: tsa }', 'anchor.url: must be an http or https URL'],
    ['anchor: { type: rfc3161, url: "http://a.example", path: a }', 'anchor.path: goes with type file'],
    ['packsDir: ./nowhere', 'is not a folder that can be read'],
  ])('%s is a fault', (text, fault) => {
    expect(faultsOf({}, text)).toEqual([expect.stringContaining(fault)])
  })

  test('both variables at once are a fault', () => {
    const both = { TALLYSTICK_ANCHOR_FILE: 'a', TALLYSTICK_ANCHOR_TSA_URL: 'http://tsa.example' }
    expect(faultsOf(both)).toEqual([expect.stringContaining('not both')])
  })
})

describe('webhooks', () => {
  test('the days that deliveries are kept are read', () => {
    expect(load({ TALLYSTICK_WEBHOOK_RETENTION_DAYS: '7' }).webhooks).toEqual({ retentionDays: 7 })
  })
})

describe('a base URL', () => {
  const baseUrlOf = (url: string) => load({ OPENAI_BASE_URL: url }).providers[0]?.baseUrl

  test.each([
    ['https://host/v1//', 'https://host/v1'],
    ['https://host', 'https://host'],
    ['https://host/v1?api-version=2026-01-01', 'https://host/v1?api-version=2026-01-01'],
    ['https://host/v1/?path=/a/', 'https://host/v1?path=/a/'],
  ])('%s is read as %s', (given, read) => expect(baseUrlOf(given)).toBe(read))

  test('with what is never sent, or is a secret in the wrong place, is refused in words', () => {
    expect(faultsOf({ OPENAI_BASE_URL: 'https://user:hunter2@host/v1#part' })).toEqual([
      'OPENAI_BASE_URL: must not carry a user name or a password; give the key as a credential',
      'OPENAI_BASE_URL: must not have a fragment (#…), which is never sent',
    ])
    for (const name of ['key', 'api-key', 'sig', 'X-Goog-Api-Key', 'access%5Ftoken'])
      expect(faultsOf({ OPENAI_BASE_URL: `https://host/v1?a=b&${name}=hunter2` })).toEqual([
        'OPENAI_BASE_URL: must not carry a key in its query; give it as a credential, or as a header',
      ])
  })
})

describe('the master key', () => {
  const key = Buffer.alloc(32, 7)

  test.each([
    ['base64', key.toString('base64')],
    ['hex', key.toString('hex').toUpperCase()],
    ['several', `${key.toString('hex')},${key.toString('base64')}`],
  ])('as %s is read', (_, value) => {
    expect(load({ TALLYSTICK_MASTER_KEY: value }).masterKey).toBe(value)
  })

  test('in a file is named by its path', () => {
    writeFileSync(join(cwd, 'master'), `${key.toString('base64')}\n${key.toString('hex')}\n`)
    expect(load({ TALLYSTICK_MASTER_KEY: 'master' }).masterKey).toBe(join(cwd, 'master'))
    writeFileSync(join(cwd, 'master'), 'something else')
    expect(faultsOf({ TALLYSTICK_MASTER_KEY: 'master' })).toEqual([
      'TALLYSTICK_MASTER_KEY: the file has something else than keys of 32 bytes, as base64 or hex',
    ])
  })

  // One without its padding could be a path as well.
  test.each([
    ['too short', key.subarray(1).toString('base64')],
    ['without its padding', key.toString('base64').slice(0, -1)],
    ['of which one is none', `${key.toString('hex')},hunter2`],
    ['that is a path to nothing', '/run/secrets/tallystick/master-key-of-0000000'],
  ])('%s is refused, and not repeated', (_, value) => {
    const faults = faultsOf({ TALLYSTICK_MASTER_KEY: value })
    expect(faults).toEqual([expect.stringMatching(/^TALLYSTICK_MASTER_KEY: must be 32 bytes/)])
    expect(faults.join()).not.toContain(value)
  })
})

describe('private targets', () => {
  const name = 'TALLYSTICK_ALLOW_PRIVATE_TARGETS'

  test('are named as ranges', () => {
    expect(load({ [name]: ' 10.20.0.0/16, fd00::/8,' }).allowedRanges).toEqual(['10.20.0.0/16', 'fd00::/8'])
  })

  test.each(['10.0.0.1', 'private', '10.0.0.0/33', '10.0.0.0/8;127.0.0.0/8'])('%s is no range', (value) => {
    expect(faultsOf({ [name]: value })).toEqual([
      `${name}: must be ranges such as 10.20.0.0/16 or fd00::/8, separated by commas`,
    ])
  })
})

describe('a local trial', () => {
  test.each([
    '127.0.0.1',
    '127.3.2.1',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'localhost',
    'LocalHost',
  ])('is a service on %s', (host) => expect(load({ TALLYSTICK_HOST: host }).strictness.strict).toBe(false))

  test.each([
    '0.0.0.0',
    '::',
    '10.0.0.5',
    '192.168.1.1',
    'fe80::1%eth0',
    '::1%lo',
    'tallystick.internal',
    'localhost.example.com',
    '127.1',
    '0x7f.1',
    '127.0.0.1.nip.io',
    '93.184.216.34',
  ])('is not a service on %s', (host) => {
    expect(load({ TALLYSTICK_HOST: host }).strictness).toEqual({
      strict: true,
      because: `it listens on ${host}, not on loopback alone`,
    })
  })

  test('is not one in production, wherever it listens', () => {
    expect(load({ NODE_ENV: 'production' }).strictness).toEqual({
      strict: true,
      because: 'NODE_ENV is production',
    })
  })

  test('is what the name "mock" is kept for', () => {
    const yaml = 'providers:\n  mock:\n    type: openai\n    baseUrl: http://127.0.0.1:1\n'
    expect(faultsOf({}, yaml)).toHaveLength(1)
    expect(faultsOf({ TALLYSTICK_HOST: '0.0.0.0' }, yaml)).toEqual([])
  })
})

describe('traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

  test('are off unless a variable says where to', () => {
    expect(load({ OTEL_SERVICE_NAME: 'gateway', OTEL_TRACES_SAMPLER: 'always_on' }).traces).toBeNull()
    expect(load({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }).traces).toBeNull()
    expect(load({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).traces).toBeNull()
  })

  test('go to the path of traces below the address of all signals', () => {
    expect(load(endpoint).traces).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      isCompressed: false,
      timeoutMs: 10_000,
      delayMs: 1_000,
      serviceName: 'tallystick',
      resourceAttributes: {},
      sampler: 'parentbased_always_on',
      ratio: 1,
    })
  })

  test('have variables of their own, which count more', () => {
    const { traces } = load({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://cloud.example/otel/v1/traces?x=1',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Basic%20cGs6c2s%3D, x-team = a',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=prod%20eu',
      OTEL_SERVICE_NAME: 'gateway',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    })
    expect(traces).toMatchObject({
      url: 'https://cloud.example/otel/v1/traces?x=1',
      headers: { authorization: 'Basic cGs6c2s=', 'x-team': 'a' },
      isCompressed: true,
      delayMs: 200,
      serviceName: 'gateway',
      resourceAttributes: { 'deployment.environment.name': 'prod eu' },
      sampler: 'parentbased_traceidratio',
      ratio: 0.25,
    })
  })

  test('say every fault, and repeat no secret', () => {
    const faults = faultsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:hunter2@collector:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2%0d%0a',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd',
      OTEL_EXPORTER_OTLP_TIMEOUT: 'soon',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_TRACES_SAMPLER_ARG: '2',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_RESOURCE_ATTRIBUTES: 'hunter2',
    })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_EXPORTER',
      'OTEL_EXPORTER_OTLP_COMPRESSION',
      'OTEL_RESOURCE_ATTRIBUTES',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_TIMEOUT',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
    ])
    expect(faults.join()).not.toContain('hunter2')
  })
})

describe('the export of log lines', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

  test('is off unless it is asked for', () => {
    expect(load(endpoint).logExport).toBeNull()
    expect(load({ ...endpoint, OTEL_LOGS_EXPORTER: 'none' }).logExport).toBeNull()
    expect(load({ ...endpoint, OTEL_LOGS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }).logExport).toBeNull()
  })

  test('goes to the collector of all signals, or to one of its own', () => {
    expect(load({ ...endpoint, OTEL_LOGS_EXPORTER: 'otlp' }).logExport?.url).toBe(
      'http://collector:4318/v1/logs',
    )
    const own = 'http://logs:4318/otlp/v1/logs'
    const { traces, logExport } = load({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: own })
    expect([traces, logExport?.url]).toEqual([null, own])
  })

  test('says every fault once', () => {
    expect(faultsOf({ OTEL_LOGS_EXPORTER: 'otlp' })).toEqual([
      'OTEL_LOGS_EXPORTER: needs OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
    ])
    const faults = faultsOf({
      ...{ ...endpoint, OTEL_LOGS_EXPORTER: 'console' },
      ...{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon', OTEL_BLRP_SCHEDULE_DELAY: '0' },
    })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'OTEL_EXPORTER_OTLP_TIMEOUT',
      'OTEL_LOGS_EXPORTER',
      'OTEL_BLRP_SCHEDULE_DELAY',
    ])
  })
})

describe('how long calls can be searched', () => {
  test('the variable counts more than the file', () => {
    expect(load({}, 'callsRetentionDays: 90').callsRetentionDays).toBe(90)
    expect(load({ TALLYSTICK_CALLS_RETENTION_DAYS: '7' }, 'callsRetentionDays: 90').callsRetentionDays).toBe(
      7,
    )
  })

  test('what is no number of days is a fault, wherever it stands', () => {
    expect(faultsOf({ TALLYSTICK_CALLS_RETENTION_DAYS: '0' })).toEqual([
      'TALLYSTICK_CALLS_RETENTION_DAYS: must be a whole number from 1 to 36500',
    ])
    expect(faultsOf({}, 'callsRetentionDays: 1.5')).toHaveLength(1)
  })
})

test.each([
  ['nowhere.pem', undefined, 'must be the path of a readable file with certificates in PEM format (ENOENT)'],
  ['key.pem', 'nothing of the kind', 'the file has no certificate in PEM format'],
  [
    'broken.pem',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    'must be the path of a readable file with certificates in PEM format',
  ],
])('a file of authorities that Node would ignore (%s) is a fault', (name, content, fault) => {
  if (content !== undefined) writeFileSync(join(cwd, name), content)
  expect(faultsOf({ NODE_EXTRA_CA_CERTS: name })).toEqual([
    expect.stringContaining(`NODE_EXTRA_CA_CERTS: ${fault}`),
  ])
})

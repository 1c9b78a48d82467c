import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPage } from '../../../../../../test/harness/service/snippets.js'
import { vendorRules as known } from '../../../providers/index.js'
import { ConfigError, loadConfig } from '../../index.js'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tallystick-providers-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

function load(yaml: string, env: Record<string, string> = {}) {
  writeFileSync(join(cwd, 'tallystick.yaml'), yaml)
  return loadConfig({ env, cwd, known }).providers
}

function faultsOf(yaml: string, env: Record<string, string> = {}): string[] {
  try {
    load(yaml, env)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.faults.map((fault) => fault.replace(`${join(cwd, 'tallystick.yaml')}: `, ''))
    throw error
  }
  return []
}

test('a provider has several credentials, headers, tenants, and options of its type', () => {
  writeFileSync(join(cwd, 'second.key'), 'sk-second\n')
  const [azure, aws] = load(
    `providers:
  azure:
    type: azure-openai
    baseUrl: https://house.openai.azure.com/
    options: { apiVersion: "2024-10-21" }
    headers: { x-team: platform }
    tenants: [default, sales]
    credentials:
      - { name: first, value: "\${FIRST}", weight: 3 }
      - { name: second, file: second.key }
  aws:
    type: bedrock
    options: { region: eu-central-1 }
`,
    { FIRST: 'sk-first' },
  )
  expect(azure).toMatchObject({
    id: 'prov_config_azure',
    baseUrl: 'https://house.openai.azure.com',
    options: { apiVersion: '2024-10-21' },
    headers: { 'x-team': 'platform' },
    tenants: ['default', 'sales'],
    auth: 'own',
    references: 'issued',
    credentials: [
      { id: 'cred_config_azure_first', name: 'first', value: 'sk-first', weight: 3 },
      { id: 'cred_config_azure_second', name: 'second', value: 'sk-second', weight: 1 },
    ],
  })
  expect(aws).toMatchObject({
    baseUrl: 'https://bedrock-runtime.eu-central-1.amazonaws.com',
    credentials: [],
    tenants: null,
    dialects: known.types.get('bedrock')?.dialects,
  })
})

test('the variables that people have for a vendor make a provider with its prices', () => {
  expect(load('{}', { GEMINI_API_KEY: 'k', GROQ_API_KEY: 'k' })).toMatchObject([
    { name: 'gemini', type: 'gemini', pricesOf: 'google' },
    { name: 'groq', type: 'groq', pricesOf: 'groq' },
  ])
})

test('a key of the environment that cannot be one is named by its variable', () => {
  expect(faultsOf('{}', { OPENAI_API_KEY: 'a\nb' })).toEqual([
    'OPENAI_API_KEY: must be a key of printable ASCII characters without spaces',
  ])
})

test('every fault of every provider is reported at once, without what was set', () => {
  const faults = faultsOf(`providers:
  one: { type: openai, apiKey: sk-secret, credentials: [{ name: a, value: sk-secret }] }
  two: { type: openai, auth: caller, apiKey: sk-secret }
  three: { type: bedrock, options: { zone: sk-secret }, headers: { Host: sk-secret }, dialects: [embeddings] }
  four: { type: azure-openai, credentials: [{ name: a }, { name: a, file: nowhere.key }, { name: b, value: "{sk-secret}" }] }
  six: { type: openai, apiKey: sk-secret with blanks }
  five: { type: openai, credentials: [{ name: a, value: x, weight: 0 }], auth: nobody, tenants: [] }
`)
  expect(faults.sort()).toEqual(
    [
      'providers.one.apiKey: is one of credentials; give one of the two',
      'providers.two.credentials: must be empty where the caller brings its own (auth: caller)',
      'providers.three.options.region: is required: an AWS region, such as eu-central-1',
      'providers.three.options.zone: unknown option; there are region',
      'providers.three.headers.Host: must be the name of a header, in lower case',
      'providers.three.dialects.0: must be one of messages, chat, responses',
      'providers.four.baseUrl: is required for type azure-openai',
      'providers.four.credentials.0: must have one of value, file and identity',
      'providers.four.credentials.1.file: cannot be read (ENOENT)',
      'providers.four.credentials.1.name: is the name of another credential',
      'providers.five.auth: must be one of own, caller',
      'providers.five.credentials.0.weight: must be >= 1',
      'providers.five.tenants: must not have fewer than 1 items',
      'providers.four.credentials.2.value: must be a JSON object with tenantId, clientId, clientSecret',
      'providers.six.apiKey: must be a key of printable ASCII characters without spaces',
    ].sort(),
  )
  expect(faults.join()).not.toContain('sk-secret')
})

test('the examples of the guide work as they are printed, when their variables are set', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = {
    type: 'service_account',
    client_email: 'robot@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  }
  writeFileSync(join(cwd, 'service-account.json'), JSON.stringify(account))
  const page = readPage('docs/manage/providers.md')
  const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  expect(examples).toHaveLength(4)
  for (const example of examples) {
    const names = [...example.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(load(example, Object.fromEntries(names.map((name) => [name, 'set'])))).not.toEqual([])
  }
})

test('the guide has a row for every type', () => {
  const rows = readPage('docs/manage/providers.md').split('\n')
  for (const type of known.types.keys())
    expect(rows.filter((row) => row.startsWith(`| \`${type}\``))).toHaveLength(1)
})

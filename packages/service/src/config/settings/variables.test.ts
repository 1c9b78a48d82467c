import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vendorRules as known } from '../../providers/index.js'
import { ConfigError, loadConfig, readProbeUrl } from '../index.js'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tallystick-config-'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const load = (env: Record<string, string>) => loadConfig({ cwd, env, known })

function write(name: string, content: string): string {
  writeFileSync(join(cwd, name), content)
  return join(cwd, name)
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    load(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('every setting can be read from a file that a variable with _FILE names', () => {
  const url = 'postgres://tallystick:s3cret@db/tallystick'
  const config = load({
    DATABASE_URL_FILE: write('database-url', `${url}\n`),
    REDIS_URL_FILE: basename(write('redis-url', 'redis://:s3cret@redis')),
    OPENAI_API_KEY_FILE: write('openai', 'sk-s3cret\n'),
  })
  expect(config).toMatchObject({ databaseUrl: url, redisUrl: 'redis://:s3cret@redis' })
  expect(config.providers[0]?.credentials).toMatchObject([{ value: 'sk-s3cret' }])
})

test('so can what a variable in tallystick.yaml stands for', () => {
  const file = write(
    'named.yaml',
    `providers:
  house: { type: openai, apiKey: "\${HOUSE_KEY}", baseUrl: "https://house.example/v1" }
`,
  )
  const env = { TALLYSTICK_CONFIG: file, HOUSE_KEY_FILE: write('house', 'sk-house\n') }
  expect(load(env).providers[0]?.credentials).toMatchObject([{ value: 'sk-house' }])
})

test('a file that is missing, empty, or given beside the variable is a fault, once and without its content', () => {
  const faults = faultsOf({
    DATABASE_URL_FILE: join(cwd, 'nowhere'),
    REDIS_URL_FILE: write('empty', '\n'),
    OPENAI_API_KEY: 'sk-one',
    OPENAI_API_KEY_FILE: write('other', 'sk-two'),
  })
  expect(faults).toEqual([
    'OPENAI_API_KEY, OPENAI_API_KEY_FILE: set one of them, not both',
    'DATABASE_URL_FILE: must be the path of a readable file (ENOENT)',
    'REDIS_URL_FILE: the file is empty',
  ])
})

test('a check on the same machine asks loopback where the service listens on every address', () => {
  const urlOf = (env: Record<string, string>) => readProbeUrl(env, cwd).url
  expect(urlOf({})).toBe('http://127.0.0.1:7070')
  expect(urlOf({ TALLYSTICK_HOST: '0.0.0.0', TALLYSTICK_PORT: '8080' })).toBe('http://127.0.0.1:8080')
  expect(urlOf({ TALLYSTICK_HOST: '::' })).toBe('http://[::1]:7070')
  expect(urlOf({ TALLYSTICK_HOST: '10.0.0.7' })).toBe('http://10.0.0.7:7070')
})

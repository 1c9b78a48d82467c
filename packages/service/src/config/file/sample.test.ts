import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../main/index.js'
import { describeSample } from './sample.js'

const cwd = mkdtempSync(join(tmpdir(), 'tallystick-sample-'))
afterAll(() => rmSync(cwd, { recursive: true }))

function read(text: string, env: Record<string, string> = {}) {
  writeFileSync(join(cwd, 'tallystick.yaml'), text)
  return readConfig({ env, cwd })
}

test('the file that init writes changes nothing', () => {
  const { providers, mcpServers, oidc } = read(describeSample())
  expect({ providers, mcpServers, oidc }).toEqual({ providers: [], mcpServers: [], oidc: null })
})

test('without its comment signs every setting of it is accepted', () => {
  const text = describeSample().replaceAll(/^#(?= {2}|[a-z])/gm, '')
  const { providers, models, mcpServers, oidc, anchor, callsRetentionDays } = read(text, {
    OPENAI_API_KEY: 'sk-test',
    TALLYSTICK_PUBLIC_URL: 'https://tallystick.example.com',
    TALLYSTICK_OIDC_CLIENT_SECRET: 'secret',
  })
  expect(providers.map(({ name }) => name)).toEqual(['openai', 'local'])
  expect(Object.keys(models)).toEqual(['house-model'])
  expect(mcpServers.map(({ name }) => name)).toEqual(['tickets'])
  expect(oidc?.issuer).toBe('https://login.example.com')
  expect({ anchor: anchor?.type, callsRetentionDays }).toEqual({ anchor: 'file', callsRetentionDays: 90 })
})

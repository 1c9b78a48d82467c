import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vendorRules as known } from '../../../providers/index.js'
import { ConfigError, loadConfig } from '../../index.js'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tallystick-config-'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

function load(yaml: string, env: Record<string, string> = {}) {
  writeFileSync(join(cwd, 'tallystick.yaml'), yaml)
  return loadConfig({ cwd, env, known })
}
function faultsOf(yaml: string): string[] {
  try {
    load(yaml)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.replace(`${cwd}/`, ''))
    throw error
  }
}

test('a server by stdio and one by HTTP, with defaults', () => {
  const { mcpServers } = load(
    `mcpServers:
  - name: files
    command: node
    args: [server.js, "\${PLACE}"]
    env: { TOKEN: "\${SECRET}" }
    cwd: tools
    tenants: [default]
    open: true
    pricePerCallUsd: 0.000001
  - name: search
    url: https://search.example/mcp
    headers: { X-Key: "\${SECRET}" }
    auth: { type: oauth, clientId: me, clientSecret: "\${SECRET}", scopes: [read] }
    pinning: warn
    rpmLimit: 5
`,
    { PLACE: '/srv', SECRET: 's3' },
  )
  expect(mcpServers).toEqual([
    {
      name: 'files',
      transport: {
        ...{ type: 'stdio', command: 'node', args: ['server.js', '/srv'] },
        ...{ env: { TOKEN: 's3' }, cwd: join(cwd, 'tools') },
      },
      ...{ headers: {}, auth: { type: 'none' }, clientSecret: null, tenants: ['default'] },
      ...{ open: true, pinning: 'block', priceNanos: 1_000, rpmLimit: null },
      ...{ timeoutMs: 60_000, maxResultBytes: 4_194_304, resources: [], prompts: [] },
    },
    {
      name: 'search',
      transport: { type: 'http', url: 'https://search.example/mcp' },
      headers: { 'x-key': 's3' },
      auth: { type: 'oauth', clientId: 'me', scopes: ['read'] },
      clientSecret: 's3',
      tenants: null,
      ...{ open: false, pinning: 'warn', priceNanos: 0, rpmLimit: 5 },
      ...{ timeoutMs: 60_000, maxResultBytes: 4_194_304, resources: [], prompts: [] },
    },
  ])
})

test('without the section there are none', () => {
  expect(load('').mcpServers).toEqual([])
})

test('every fault is told, by its place, and no value is repeated', () => {
  const faults = faultsOf(`mcpServers:
  - { name: Bad_Name, command: x }
  - { name: neither }
  - { name: both, command: x, url: "https://x.example/" }
  - { name: tallystick, command: x }
  - { name: twice, command: x }
  - { name: twice, command: x }
  - { name: odd, url: "ftp://s3cret", env: { A: s3cret }, args: [s3cret] }
  - { name: headed, command: x, headers: { a: s3cret }, auth: { type: passthrough } }
  - { name: nameless, url: "https://x.example/", auth: { type: header } }
  - { name: fine, url: "https://x.example/", pricePerCallUsd: 0.0000001, colour: s3cret }
  - { name: dear, url: "https://x.example/", pricePerCallUsd: 0.0000001 }
`)
  expect(faults).toEqual([
    expect.stringMatching(/^tallystick.yaml: mcpServers.0.name: /),
    'tallystick.yaml: mcpServers.1.command: either command (stdio) or url (HTTP) is required, and not both',
    'tallystick.yaml: mcpServers.2.command: either command (stdio) or url (HTTP) is required, and not both',
    'tallystick.yaml: mcpServers.3.name: tallystick is reserved',
    'tallystick.yaml: mcpServers.5.name: there are two of this name',
    'tallystick.yaml: mcpServers.6.url: must be an http or https URL',
    'tallystick.yaml: mcpServers.6.args: belongs to command',
    'tallystick.yaml: mcpServers.6.env: belongs to command',
    'tallystick.yaml: mcpServers.7.headers: belongs to url',
    'tallystick.yaml: mcpServers.7.auth: belongs to url',
    'tallystick.yaml: mcpServers.8.auth.header: is required',
    'tallystick.yaml: mcpServers.9.colour: unknown field',
    'tallystick.yaml: mcpServers.10.pricePerCallUsd: has more than six decimal places',
  ])
  expect(faults.join()).not.toContain('s3cret')
  expect(faultsOf('mcpServers: { files: { command: x } }')).toEqual([expect.stringContaining('mcpServers: ')])
})

import { dirname, resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describeFileFaults } from '../file/file-faults.js'

const strict = { additionalProperties: false }
const Text = Type.String({ minLength: 1 })
const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 200 })

const McpServerSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    /** The command of a local server process that communicates over stdio. */
    command: Type.Optional(Text),
    args: Type.Optional(Type.Array(Type.String())),
    /** The environment of the process, in addition to PATH. */
    env: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String())),
    cwd: Type.Optional(Text),
    /** The URL of a server that is reached by streamable HTTP, instead of a command. */
    url: Type.Optional(Text),
    headers: Type.Optional(Type.Record(Text, Type.String())),
    auth: Type.Optional(
      Type.Object(
        {
          type: Type.Enum(['none', 'header', 'oauth', 'passthrough']),
          header: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,127}$' })),
          clientId: Type.Optional(Text),
          clientSecret: Type.Optional(Text),
          scopes: Type.Optional(Type.Array(Text)),
        },
        strict,
      ),
    ),
    tenants: Type.Optional(Type.Array(Text, { minItems: 1 })),
    open: Type.Optional(Type.Boolean()),
    pinning: Type.Optional(Type.Enum(['off', 'warn', 'block'])),
    pricePerCallUsd: Type.Optional(Type.Number({ minimum: 0, maximum: 9_000_000 })),
    rpmLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
    maxResultBytes: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 67_108_864 })),
    resources: Type.Optional(Patterns),
    prompts: Type.Optional(Patterns),
  },
  strict,
)
type McpServerFileConfig = Static<typeof McpServerSchema>

type McpAuth =
  | { type: 'none' }
  | { type: 'header'; header: string }
  | { type: 'oauth'; clientId: string | null; scopes: readonly string[] }
  | { type: 'passthrough' }

/** An MCP server from the configuration file. */
export interface McpServerConfig {
  name: string
  transport:
    | { type: 'http'; url: string }
    | {
        type: 'stdio'
        command: string
        args: readonly string[]
        env: Readonly<Record<string, string>>
        cwd: string | null
      }
  headers: Readonly<Record<string, string>>
  auth: McpAuth
  clientSecret: string | null
  /** The names of the tenants that may use the server. Null for all. */
  tenants: readonly string[] | null
  open: boolean
  pinning: 'off' | 'warn' | 'block'
  priceNanos: number
  rpmLimit: number | null
  timeoutMs: number
  maxResultBytes: number
  resources: readonly string[]
  prompts: readonly string[]
}

/** Names of the service's own routes below `/mcp/`. */
const reserved = ['tallystick', 'oauth']

/** Reads the section `mcpServers` of the file. Faults contain the path and never the value. */
export function readMcpServers(section: unknown, file: string, faults: string[]): McpServerConfig[] {
  if (!Array.isArray(section)) return []
  const servers: McpServerConfig[] = []
  for (const [index, entry] of section.entries()) {
    const path = `mcpServers.${index}`
    const report = (fault: string) => faults.push(`${file}: ${path}.${fault}`)
    if (!Value.Check(McpServerSchema, entry)) {
      for (const fault of describeFileFaults(Value.Errors(McpServerSchema, entry), path))
        faults.push(`${file}: ${fault}`)
      continue
    }
    for (const fault of faultsOf(entry)) report(fault)
    if (reserved.includes(entry.name)) report(`name: ${entry.name} is reserved`)
    if (servers.some(({ name }) => name === entry.name)) report(`name: there are two of this name`)
    servers.push(toServer(entry, dirname(file)))
  }
  return servers
}

function* faultsOf({ command, url, auth, ...entry }: McpServerFileConfig): Generator<string> {
  if ((command === undefined) === (url === undefined))
    yield 'command: either command (stdio) or url (HTTP) is required, and not both'
  if (url !== undefined) {
    const parsed = URL.canParse(url) ? new URL(url) : null
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:')
      yield 'url: must be an http or https URL'
    for (const name of ['args', 'env', 'cwd'] as const)
      if (entry[name] !== undefined) yield `${name}: belongs to command`
  } else {
    if (entry.headers !== undefined) yield 'headers: belongs to url'
    if (auth !== undefined && auth.type !== 'none') yield 'auth: belongs to url'
  }
  if (auth?.type === 'header' && auth.header === undefined) yield 'auth.header: is required'
  const micros = (entry.pricePerCallUsd ?? 0) * 1_000_000
  if (Math.round(micros) / 1_000_000 !== (entry.pricePerCallUsd ?? 0))
    yield 'pricePerCallUsd: has more than six decimal places'
}

const toServer = (entry: McpServerFileConfig, folder: string): McpServerConfig => ({
  name: entry.name,
  transport:
    entry.command === undefined
      ? { type: 'http', url: entry.url ?? '' }
      : {
          type: 'stdio',
          command: entry.command,
          args: entry.args ?? [],
          env: entry.env ?? {},
          cwd: entry.cwd === undefined ? null : resolve(folder, entry.cwd),
        },
  headers: Object.fromEntries(
    Object.entries(entry.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  ),
  auth: toAuth(entry.auth),
  clientSecret: entry.auth?.clientSecret ?? null,
  tenants: entry.tenants ?? null,
  open: entry.open ?? false,
  pinning: entry.pinning ?? 'block',
  priceNanos: Math.round((entry.pricePerCallUsd ?? 0) * 1_000_000) * 1_000,
  rpmLimit: entry.rpmLimit ?? null,
  timeoutMs: entry.timeoutMs ?? 60_000,
  maxResultBytes: entry.maxResultBytes ?? 4 * 1024 * 1024,
  resources: entry.resources ?? [],
  prompts: entry.prompts ?? [],
})

function toAuth(auth: McpServerFileConfig['auth']): McpAuth {
  switch (auth?.type) {
    case 'header':
      return { type: 'header', header: auth.header ?? '' }
    case 'oauth':
      return { type: 'oauth', clientId: auth.clientId ?? null, scopes: auth.scopes ?? [] }
    case 'passthrough':
      return { type: 'passthrough' }
    default:
      return { type: 'none' }
  }
}

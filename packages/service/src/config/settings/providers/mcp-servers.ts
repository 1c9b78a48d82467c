import { dirname, resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describeFileFaults } from '../../file/file-faults.js'

const strict = { additionalProperties: false }
const Text = Type.String({ minLength: 1 })
const text = (description: string) => Type.String({ minLength: 1, description })
const patterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 200, description })

export const McpServerSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$', description: 'Name of the server' }),
    command: Type.Optional(text('Command of a local process that communicates over stdio')),
    args: Type.Optional(Type.Array(Type.String(), { description: 'Arguments of the command' })),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String(), {
        description: 'Environment of the process, in addition to `PATH`',
      }),
    ),
    cwd: Type.Optional(text('Folder in which the process runs')),
    url: Type.Optional(text('URL of a server that is reached by streamable HTTP, instead of `command`')),
    headers: Type.Optional(Type.Record(Text, Type.String(), { description: 'Headers of every request' })),
    auth: Type.Optional(
      Type.Object(
        {
          type: Type.Enum(['none', 'header', 'oauth', 'passthrough'], {
            description: 'How users authenticate to the server',
            default: 'none',
          }),
          header: Type.Optional(
            Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,127}$', description: 'For `header`: its name' }),
          ),
          clientId: Type.Optional(text('For `oauth`. Default: the service registers itself')),
          clientSecret: Type.Optional(text('For `oauth`')),
          scopes: Type.Optional(Type.Array(Text, { description: 'For `oauth`' })),
        },
        strict,
      ),
    ),
    tenants: Type.Optional(
      Type.Array(Text, { minItems: 1, description: 'Tenants that may use it. Default: all' }),
    ),
    open: Type.Optional(
      Type.Boolean({
        description: 'Whether keys without a list of tools may call its tools',
        default: false,
      }),
    ),
    pinning: Type.Optional(
      Type.Enum(['off', 'warn', 'block'], {
        description: 'What happens when a tool changes',
        default: 'block',
      }),
    ),
    pricePerCallUsd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 9_000_000, description: 'At most six decimal places', default: 0 }),
    ),
    rpmLimit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Calls per minute. Default: no limit' }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 3_600_000, description: 'For one call', default: 60_000 }),
    ),
    maxResultBytes: Type.Optional(
      Type.Integer({
        minimum: 1_024,
        maximum: 67_108_864,
        description: 'Maximum size of a result',
        default: 4 * 1024 * 1024,
      }),
    ),
    resources: Type.Optional(patterns('URIs of resources that may be read. `*` stands for any characters')),
    prompts: Type.Optional(patterns('Names of prompts that may be used. `*` stands for any characters')),
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

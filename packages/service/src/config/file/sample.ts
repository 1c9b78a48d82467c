import type { TSchema } from 'typebox'
import { McpServerSchema } from '../settings/providers/mcp-servers.js'
import { AnchorSchema, ModelSchema, OidcSchema, OutlineSchema, ProviderSchema } from './schema.js'

interface Example {
  schema: TSchema
  /** What the section is for. */
  about: string
  /** Lines above the fields, such as the name of the section. */
  head: readonly string[]
  indent: number
  isList?: true
  fields: Readonly<Record<string, unknown>>
}

/** The value of each field is an example; what it means is in the schema. */
const examples: readonly Example[] = [
  {
    schema: ProviderSchema,
    about: 'Vendors and servers that calls are forwarded to',
    head: ['providers:', '  openai:'],
    indent: 4,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the file reads it from the environment
    fields: { type: 'openai', apiKey: '${OPENAI_API_KEY}' },
  },
  {
    schema: ProviderSchema,
    about: 'A server of your own that speaks the protocol of OpenAI.',
    head: ['  local:'],
    indent: 4,
    fields: { type: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', tenants: ['default'] },
  },
  {
    schema: ModelSchema,
    about: 'Names of your own for models, with prices where the catalogue has none.',
    head: ['models:', '  house-model:'],
    indent: 4,
    fields: {
      ...{ provider: 'local', model: 'llama-3.3-70b', contextWindow: 131_072, maxOutputTokens: 8_192 },
      price: { inputUsdPerMTok: 0.2, outputUsdPerMTok: 0.6 },
    },
  },
  {
    schema: McpServerSchema,
    isList: true,
    about: 'MCP servers whose tools are offered to agents.',
    head: ['mcpServers:'],
    indent: 4,
    fields: { name: 'tickets', url: 'https://mcp.example.com/mcp' },
  },
  {
    schema: OidcSchema,
    about: 'Sign-in to the console. It needs TALLYSTICK_PUBLIC_URL and TALLYSTICK_OIDC_CLIENT_SECRET.',
    head: ['oidc:'],
    indent: 2,
    fields: { issuer: 'https://login.example.com', clientId: 'tallystick', managers: ['platform-team'] },
  },
  {
    schema: AnchorSchema,
    about: 'Daily checkpoints of the record, kept outside the database.',
    head: ['anchor:'],
    indent: 2,
    fields: { type: 'file', path: 'checkpoints/{day}.txt' },
  },
  {
    schema: OutlineSchema,
    about: 'Everything else.',
    head: [],
    indent: 0,
    fields: { callsRetentionDays: 90 },
  },
]

/** The text that `tallystick init` writes: every setting as a comment, so that the file changes nothing until it is edited. */
export function describeSample(): string {
  const sections = examples.map((example) => {
    const { about, head, fields } = example
    const lines = Object.entries(fields).map((field, index) => describeField(example, field, index === 0))
    return [`## ${about}`, ...[...head, ...lines].map((line) => `#${line}`)].join('\n')
  })
  return [
    '# Settings of Tallystick. Remove the # before the lines that you need, and start the service again.',
    '# docs/reference/configuration.md lists all fields, and the variables of the environment.',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n')
}

function describeField(
  { schema, indent, isList }: Example,
  [name, value]: [string, unknown],
  isFirst: boolean,
): string {
  const { description }: { description?: string } = fieldsOf(schema)[name] ?? {}
  const start = isList && isFirst ? '- '.padStart(indent) : ' '.repeat(indent)
  return `${start}${name}: ${describeValue(value)}${description ? ` # ${description}` : ''}`
}

const fieldsOf = (schema: TSchema): Record<string, { description?: string }> =>
  'properties' in schema ? (schema.properties as Record<string, { description?: string }>) : {}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(describeValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${describeValue(each)}`)
    .join(', ')} }`
}

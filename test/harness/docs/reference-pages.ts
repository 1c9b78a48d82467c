import type { TSchema } from 'typebox'
import {
  AnchorSchema,
  ModelSchema,
  OidcSchema,
  OutlineSchema,
  ProviderSchema,
} from '../../../packages/service/src/config/file/schema.js'
import { McpServerSchema } from '../../../packages/service/src/config/settings/providers/mcp-servers.js'
import {
  cloudVariables,
  vaultVariables,
} from '../../../packages/service/src/config/settings/secrets/cloud-variables.js'
import { variables, wholeNumbers } from '../../../packages/service/src/config/settings/variable-table.js'
import {
  counters,
  gauges,
  histograms,
  labelBounds,
} from '../../../packages/service/src/observability/metrics/metric-table.js'
import { describeWebhooks } from '../../../packages/service/src/resources/webhooks/alerts/payloads.js'
import { errorTable } from '../../../packages/service/src/shared/errors.js'

// The parts of docs/reference that are generated from the code. A page marks such a part by
// `<!-- generated: name -->` and `<!-- /generated -->`; the rest of the page is written by hand.

type Row = readonly string[]

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string) => `\`${text}\``
const count = (value: number) => value.toLocaleString('en-US')

function renderVariables(): string {
  const numbers = Object.entries(wholeNumbers).map(([name, { meaning, fallback, min, max, ...rest }]) => ({
    name,
    meaning: `${meaning} (${min} to ${max})`,
    fallback: 'shown' in rest ? rest.shown : code(`${fallback}`),
  }))
  const others = Object.entries({ ...variables, ...cloudVariables, ...vaultVariables }).map(
    ([name, { meaning, fallback }]) => ({
      name,
      meaning,
      fallback,
    }),
  )
  const groupOf = (name: string) => groups.findLastIndex(({ pattern }) => pattern.test(name))
  return groups
    .map(({ title }, index) => {
      const rows = [...others, ...numbers].filter(({ name }) => groupOf(name) === index)
      const cells = rows.map(({ name, meaning, fallback }) => [code(name), fallback, meaning])
      return `### ${title}\n\n${table(['variable', 'default', 'meaning'], cells)}`
    })
    .join('\n\n')
}

/** A variable belongs to the last group that its name matches. */
const groups = [
  { title: 'Network and processes', pattern: /./ },
  { title: 'Database and Redis', pattern: /DATABASE|REDIS/ },
  { title: 'Keys and files', pattern: /_KEY$|_CONFIG$|_DIR$|SECRET/ },
  { title: 'Record', pattern: /ANCHOR/ },
  { title: 'Retention', pattern: /_DAYS$/ },
  { title: 'Logs', pattern: /_LOG_|COLOR/ },
  { title: 'Traces', pattern: /^OTEL_/ },
  { title: 'Identity of the machine', pattern: /^(AWS|AZURE|IDENTITY|GCE|GOOGLE)_/ },
  { title: 'Secret stores', pattern: /^VAULT_|_SECRETS_|^AWS_(DEFAULT_)?REGION/ },
]

interface Field {
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly Field[]
  minimum?: number
  maximum?: number
  description?: string
  default?: unknown
  properties?: Record<string, Field>
  required?: readonly string[]
  items?: Field
}

function* listFields(schema: Field, prefix = ''): Generator<Row> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`
    const nested = field.type === 'array' ? field.items : field
    const [meaning = '', inWords] = (field.description ?? '').split(/\. Default: /)
    const isRequired = schema.required?.includes(name) ?? false
    const fallback = field.default === undefined ? (inWords ?? 'none') : code(String(field.default))
    if (nested?.properties === undefined || field.description !== undefined)
      yield [code(path), typeOf(field), isRequired ? 'required' : fallback, meaning]
    if (nested?.properties !== undefined)
      yield* listFields(nested, `${path}${field.type === 'array' ? '[]' : ''}.`)
  }
}

function typeOf(field: Field): string {
  if (field.enum) return field.enum.map((value) => code(String(value))).join(', ')
  if (field.anyOf) return 'see meaning'
  const isNumber = field.type === 'integer' || field.type === 'number'
  if (isNumber && field.minimum !== undefined && field.maximum !== undefined)
    return `${count(field.minimum)} to ${count(field.maximum)}`
  return { array: 'list', object: 'map', string: 'text', boolean: '`true`, `false`' }[field.type ?? ''] ?? ''
}

const fieldsOf = (schema: TSchema) =>
  table(['field', 'value', 'default', 'meaning'], [...listFields(schema as Field)])

function renderFileFields(): string {
  const { providers: _p, models: _m, mcpServers: _s, anchor: _a, oidc: _o, ...top } = OutlineSchema.properties
  const sections: [string, TSchema][] = [
    ['providers.<name>', ProviderSchema],
    ['models.<name>', ModelSchema],
    ['mcpServers[]', McpServerSchema],
    ['oidc', OidcSchema],
    ['anchor', AnchorSchema],
  ]
  const general = fieldsOf({ type: 'object', properties: top } as TSchema)
  return [
    `### General\n\n${general}`,
    ...sections.map(([name, schema]) => `### ${code(name)}\n\n${fieldsOf(schema)}`),
  ].join('\n\n')
}

const renderErrors = (): string =>
  table(
    ['type', 'status', 'cause', 'what to do'],
    Object.entries(errorTable).map(([type, { status, cause, action }]) => [
      code(type),
      `${status}`,
      cause,
      action,
    ]),
  )

function renderMetrics(): string {
  const row = (
    type: string,
    { name, labels, help }: { name: string; labels: readonly string[]; help: string },
  ) => [code(name), type, labels.map(code).join(', '), help]
  return table(
    ['metric', 'type', 'labels', 'meaning'],
    [
      ...Object.values(counters).map((spec) => row('counter', spec)),
      ...Object.values(histograms).map((spec) => row('histogram', spec)),
      ...Object.values(gauges).map((spec) => row(`gauge, ${spec.across}`, spec)),
    ],
  )
}

function renderLabels(): string {
  const rows = Object.entries(labelBounds).map(([name, bound]) => [
    code(name),
    `${bound.max}${'within' in bound ? ` per ${code(bound.within)}` : ''}`,
  ])
  return table(['label', 'maximum'], rows)
}

function renderEvents(): string {
  const events = Object.entries(describeWebhooks()) as [string, { post: Delivery }][]
  return events
    .map(([event, { post }]) => {
      const { schema } = post.requestBody.content['application/json']
      const data = schema.properties?.data
      const fields = data ? [...listPayload(data)] : []
      return [
        `### ${code(event)}`,
        `${post.summary}.`,
        ...(fields.length > 0 ? [table(['field of `data`', 'type', 'meaning'], fields)] : []),
        `\`\`\`json\n${JSON.stringify(schema.examples[0], null, 2)}\n\`\`\``,
      ].join('\n\n')
    })
    .join('\n\n')
}

interface Delivery {
  summary: string
  requestBody: { content: { 'application/json': { schema: Field & { examples: unknown[] } } } }
}

function* listPayload(schema: Field, prefix = ''): Generator<Row> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.properties) yield* listPayload(field, `${prefix}${name}.`)
    else yield [code(`${prefix}${name}`), nameOfType(field), field.description ?? '']
  }
}

function nameOfType(field: Field): string {
  if (field.enum) return typeOf(field)
  return (field.anyOf ?? [field]).map(({ type }) => type ?? '').join(' or ')
}

/** The generated parts, by page and name. */
export const referencePages: Record<string, Record<string, () => string>> = {
  'docs/reference/configuration.md': { variables: renderVariables, fields: renderFileFields },
  'docs/reference/errors.md': { errors: renderErrors },
  'docs/reference/events.md': { events: renderEvents },
  'docs/reference/metrics.md': { metrics: renderMetrics, labels: renderLabels },
}

/** The page with its generated parts as the code has them now. */
export function renderPage(text: string, parts: Record<string, () => string>): string {
  return Object.entries(parts).reduce((page, [name, render]) => {
    const [start, end] = [`<!-- generated: ${name} -->`, '<!-- /generated -->']
    const from = page.indexOf(start)
    const to = page.indexOf(end, from)
    if (from < 0 || to < 0) throw new Error(`the page has no part "${name}"`)
    return `${page.slice(0, from)}${start}\n\n${render()}\n\n${page.slice(to)}`
  }, text)
}

/**
 * What an expression can use: CEL types by variable and field. Strings are empty if there is no such thing (a key without an
 * owner has `user.id == ""`), so that no expression fails on a null.
 */
export const factTypes = {
  request: {
    /** The provider's own name for it, so that another name of the same model does not evade an expression. */
    model: 'string',
    provider: 'string',
    /** `chat`, `responses`, `embeddings`, `messages`, …; `mcp` for calls of tools. */
    dialect: 'string',
    stream: 'bool',
    inputTokens: 'int',
    /** As the request declares it; 0 if it declares none. */
    maxOutputTokens: 'int',
    /** How many. */
    messages: 'int',
    /** The names of the tools that it offers. */
    tools: 'list<string>',
    /** What the call is filed under: the header's tags on top of the key's. */
    tags: 'map<string, string>',
    /** Empty if it names none. */
    session: 'string',
  },
  /** Of calls of MCP servers: `server__tool`, and its arguments: texts as they are, other values as JSON. Empty for calls of models. */
  tool: { name: 'string', arguments: 'map<string, string>' },
  key: { id: 'string', name: 'string', role: 'string', metadata: 'map<string, string>' },
  user: { id: 'string', name: 'string', email: 'string', role: 'string' },
  team: { id: 'string', name: 'string' },
} as const

interface FactOf {
  string: string
  bool: boolean
  int: number
  'list<string>': readonly string[]
  'map<string, string>': Readonly<Record<string, string>>
}

type FactTypes = typeof factTypes
type Facts<Fields> = {
  [Field in keyof Fields]: Fields[Field] extends keyof FactOf ? FactOf[Fields[Field]] : never
}

/** The facts of one call. */
export type ExpressionFacts = { [Variable in keyof FactTypes]: Facts<FactTypes[Variable]> } & { now: Date }

/** A list in Markdown, for the description of the API. */
export function describeFacts(): string {
  const fields = Object.entries(factTypes).map(
    ([variable, types]) =>
      `- ${Object.entries(types)
        .map(([field, type]) => `\`${variable}.${field}\` (${type})`)
        .join(', ')}`,
  )
  return [...fields, '- `now` (timestamp)'].join('\n')
}

/** CEL's integers have 64 bits; the engine takes them as bigint. */
export function toCelContext({ now, ...variables }: ExpressionFacts): Record<string, unknown> {
  const context: Record<string, unknown> = { now }
  for (const [variable, fields] of Object.entries(variables)) {
    context[variable] = Object.fromEntries(
      Object.entries(fields).map(([field, fact]) => [field, typeof fact === 'number' ? BigInt(fact) : fact]),
    )
  }
  return context
}

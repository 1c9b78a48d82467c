/**
 * The variables of expressions: CEL types by variable and field. A string without a value is empty (a key without an owner has
 * `user.id == ""`), so that no expression fails on a null.
 */
export const variableTypes = {
  request: {
    /** The provider's own name of the model, so that an alias does not evade an expression. */
    model: 'string',
    provider: 'string',
    /** `chat`, `responses`, `embeddings`, `messages`, …; `mcp` for calls of tools. */
    dialect: 'string',
    stream: 'bool',
    inputTokens: 'int',
    /** The maximum that the request declares; 0 if it declares none. */
    maxOutputTokens: 'int',
    /** The number of messages. */
    messages: 'int',
    /** The names of the tools that the request offers. */
    tools: 'list<string>',
    /** The tags of the call: those of the header on top of those of the key. */
    tags: 'map<string, string>',
    /** The session of the call; empty if it has none. */
    session: 'string',
  },
  /** The MCP tool, as `server__tool`, and its arguments: strings unchanged, other values as JSON. Empty for model calls. */
  tool: { name: 'string', arguments: 'map<string, string>' },
  key: { id: 'string', name: 'string', role: 'string', metadata: 'map<string, string>' },
  user: { id: 'string', name: 'string', email: 'string', role: 'string' },
  team: { id: 'string', name: 'string' },
} as const

interface ValueOf {
  string: string
  bool: boolean
  int: number
  'list<string>': readonly string[]
  'map<string, string>': Readonly<Record<string, string>>
}

type VariableTypes = typeof variableTypes
type Values<Fields> = {
  [Field in keyof Fields]: Fields[Field] extends keyof ValueOf ? ValueOf[Fields[Field]] : never
}

/** The values of the variables for one call. */
export type ExpressionVariables = { [Variable in keyof VariableTypes]: Values<VariableTypes[Variable]> } & {
  now: Date
}

/** Returns the variables as a Markdown list, for the API description. */
export function describeVariables(): string {
  const fields = Object.entries(variableTypes).map(
    ([variable, types]) =>
      `- ${Object.entries(types)
        .map(([field, type]) => `\`${variable}.${field}\` (${type})`)
        .join(', ')}`,
  )
  return [...fields, '- `now` (timestamp)'].join('\n')
}

/** Converts variables for the CEL engine, which takes integers as bigint. */
export function toCelContext({ now, ...variables }: ExpressionVariables): Record<string, unknown> {
  const context: Record<string, unknown> = { now }
  for (const [variable, fields] of Object.entries(variables)) {
    context[variable] = Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        field,
        typeof value === 'number' ? BigInt(value) : value,
      ]),
    )
  }
  return context
}

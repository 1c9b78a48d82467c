import { Type } from 'typebox'
import { invalidRequest } from '../shared/errors.js'

/** The tools of MCP servers that a key, user or team may call. */
export const AllowedTools = Type.Union(
  [Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 }), Type.Null()],
  {
    description:
      'The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused',
    examples: [['github__*', 'files__read_file']],
  },
)

// This service restricts server names; servers name their tools freely. A star may also match the underscores.
const server = '[a-z0-9][a-z0-9-]{0,31}'
const canMatch = new RegExp(`^(?:${server}__|(?:${server}_?)?\\*)`)

/** Refuses a pattern that cannot match any tool: its author would believe that something is allowed. */
export function requireToolPatterns(patterns: readonly string[] | null | undefined): void {
  const faults = (patterns ?? []).flatMap((pattern, index) =>
    canMatch.test(pattern) ? [] : [{ path: `allowedTools.${index}`, message: describe(pattern) }],
  )
  const [first] = faults
  if (first) throw invalidRequest(`${first.path}: ${first.message}`, faults)
}

function describe(pattern: string): string {
  const [, named = '', rest = ''] = new RegExp(`^(${server})[^a-z0-9]+(.*)$`, 'i').exec(pattern) ?? []
  const example = named === '' ? 'github__*' : `${named.toLowerCase()}__${rest === '' ? '*' : rest}`
  return `matches no tool: their names are server__tool, with the server in lower case. Write for instance ${example}`
}

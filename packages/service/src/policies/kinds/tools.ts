import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { anyPhase, blockOrFlag, defineKind } from './kind.js'
import { matchesName } from './name-pattern.js'

const Names = (description: string, options: { minItems?: number } = {}) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      maxItems: 500,
      uniqueItems: true,
      description,
      ...options,
    }),
  )

/** Judges the tools that a request offers (input) and that a model calls (output), and in both phases the MCP tools that are called. */
export const tools = defineKind({
  summary: 'Restricts the tools that the model may be given and may call',
  phases: anyPhase,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      allow: Names(
        'The only tools that are allowed. Every name of a tool must match the list. `*` matches any characters. An empty list allows no tools',
      ),
      deny: Names(
        'Tools that are never allowed, even if `allow` includes them. Capitalization, full-width letters and invisible characters are ignored. `*` matches any characters',
        { minItems: 1 },
      ),
    },
    { ...strict, minProperties: 1, title: 'ToolsConfig' },
  ),
  compile({ allow, deny = [] }) {
    const denied = deny.map(foldName)
    const isDenied = (name: string) => {
      const folded = foldName(name)
      return denied.some((pattern) => matchesName(folded, pattern))
    }
    const isAllowed = (name: string) =>
      allow === undefined || allow.some((pattern) => matchesName(name, pattern))
    return {
      subject: 'tools',
      grants: (name) => allow !== undefined && isAllowed(name) && !isDenied(name),
      findObjection({ names, aliases, isReadable }) {
        if (!isReadable) return 'it has tools whose names cannot be read'
        if (names.length + aliases.length > maxNames) throw new Error('there are too many tools to be judged')
        const forbidden =
          names.find((name) => isDenied(name) || !isAllowed(name)) ?? aliases.find((name) => isDenied(name))
        return forbidden === undefined ? null : `the tool ${forbidden} may not be used`
      },
    }
  },
})

/** Far more than any vendor accepts. */
const maxNames = 4_096

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\s]/gu

/** Folds a name, so that it is denied in every spelling that looks the same to a reader. */
const foldName = (name: string): string => name.normalize('NFKC').replace(invisible, '').toLowerCase()

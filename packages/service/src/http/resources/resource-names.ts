export interface ResourceNames {
  /** With its article: `a key`. */
  one: string
  many: string
}

export type OperationName = 'list' | 'create' | 'read' | 'update' | 'remove'

/** `McpServer`, of `an MCP server`. */
export const titleOf = ({ one }: ResourceNames): string => toPascalCase(withoutArticle(one))

export const withoutArticle = (one: string): string => one.replace(/^an? /, '')

/** Returns the name of an operation, unless the resource sets another. */
export function nameOperation(name: OperationName, names: ResourceNames) {
  const { one, many } = names
  switch (name) {
    case 'list':
      return { operationId: `list${toPascalCase(many)}`, summary: `List ${many}` }
    case 'create':
      return { operationId: `create${titleOf(names)}`, summary: `Create ${one}` }
    case 'read':
      return { operationId: `get${titleOf(names)}`, summary: `Get ${one}` }
    case 'update':
      return { operationId: `update${titleOf(names)}`, summary: `Update ${one}` }
    case 'remove':
      return { operationId: `delete${titleOf(names)}`, summary: `Delete ${one}` }
  }
}

const toPascalCase = (text: string): string =>
  text
    .split(' ')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`)
    .join('')

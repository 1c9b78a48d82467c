import type { ReceiptDraft } from './entry.js'

/** What a tool call was to: a tool of a server by its own name, a resource by its URI, or a prompt by its name. */
export interface CalledTool {
  server: string
  tool: string
  /** Such as `tools/call`. */
  method: string
}

type ToolCallFields = Required<Pick<ReceiptDraft, 'server' | 'tool' | 'provider' | 'model'>> &
  Pick<ReceiptDraft, 'method'> & { kind: 'tool' }

const maxChars = 512

/**
 * What a receipt says of it. Tools are known by `server__tool` wherever models are known by their names. A caller chooses the URI of
 * a resource: usage groups by the method instead, or it would have as many groups as a caller likes. Such a text is also cut;
 * what may be a secret in a URI (who signs in, the query) is left out, for an entry is for good;
 * and half a character, which has no place in an entry, and NUL, which Postgres refuses, are replaced.
 */
export function toolCallFields({ server, tool, method }: CalledTool): ToolCallFields {
  const name = clip(method === toolCall ? tool : withoutSecrets(tool))
  return {
    kind: 'tool',
    provider: `mcp:${server}`,
    server,
    tool: name,
    ...(method === toolCall ? { model: `${server}__${name}` } : { model: `${server}:${method}`, method }),
  }
}

const toolCall = 'tools/call'

const isUri = /^[a-z][a-z0-9+.-]*:/i

const withoutSecrets = (text: string): string =>
  isUri.test(text) ? text.replace(/[?#].*$/s, '').replace(/^([^/]*:\/\/)[^/]*@/, '$1') : text

const clip = (text: string): string =>
  (text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text)
    .toWellFormed()
    .replaceAll('\0', '\ufffd')

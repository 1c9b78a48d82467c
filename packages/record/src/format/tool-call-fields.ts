import type { ReceiptDraft } from './entry.js'

/** The target of a tool call: a tool by its name at the server, a resource by its URI, or a prompt by its name. */
export interface CalledTool {
  server: string
  tool: string
  /** The method of the protocol, such as `tools/call`. */
  method: string
}

type ToolCallFields = Required<Pick<ReceiptDraft, 'server' | 'tool' | 'provider' | 'model'>> &
  Pick<ReceiptDraft, 'method'> & { kind: 'tool' }

const maxChars = 512

/**
 * Returns the fields of a receipt that describe a tool call. `model` is `server__tool`. For a resource, whose URI the caller chooses, it
 * is the method instead, because usage is grouped by model and the number of groups must stay small. A long text is cut. The parts of a
 * URI that may be secret (user, password and query) are left out, because entries are never changed. Lone surrogates, which an entry
 * cannot have, and NUL, which Postgres rejects, are replaced.
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

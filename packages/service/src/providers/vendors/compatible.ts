import type { Vendor } from './vendor.js'

/**
 * What servers compatible with OpenAI's API have in common: the paths below the base URL, and a key as bearer
 * token.
 */
export const compatible = {
  pathOf: ({ dialect }, { root }) => root + dialect.path,
  authorize: (_outgoing, credential) => ({ authorization: `Bearer ${credential}` }),
  probe: ({ root }) => ({ method: 'GET', path: `${root}/models` }),
  outputField: 'max_tokens',
  // OpenAI's own limit on hosted tools. No other vendor documents that it honours it (xAI has max_turns in its own
  // library).
  ignoredFields: ['max_tool_calls'],
  responseHeaders: /^x-request-id$/,
  smallModel: null,
} satisfies Partial<Vendor>

/**
 * Removes members for servers that refuse unknown ones. The last chunk of their streams reports usage without being
 * asked, and the maximum is in `max_tokens`, where the gateway put it.
 */
export const leaveOutUnknown: NonNullable<Vendor['adaptBody']> = (_request, has) => {
  const changes = new Map<string, null>()
  if (has('stream_options')) changes.set('stream_options', null)
  if (has('max_completion_tokens') && has('max_tokens')) changes.set('max_completion_tokens', null)
  return changes
}

import type { Vendor } from './vendor.js'

/**
 * What servers compatible with OpenAI's API have in common: paths below the base URL, and a key that is sent as bearer token.
 */
export const compatible = {
  pathOf: ({ dialect }, { root }) => root + dialect.path,
  authorize: (_outgoing, credential) => ({ authorization: `Bearer ${credential}` }),
  probe: ({ root }) => ({ method: 'GET', path: `${root}/models` }),
  outputField: 'max_tokens',
  // OpenAI's limit on uses of hosted tools. No other vendor documents that it honours this member.
  ignoredFields: ['max_tool_calls'],
  responseHeaders: /^x-request-id$/,
  smallModel: null,
} satisfies Partial<Vendor>

/**
 * Removes members for servers that refuse unknown ones. Their streams always report usage in the last chunk, and the maximum
 * output remains in `max_tokens`.
 */
export const removeUnsupportedMembers: NonNullable<Vendor['adaptBody']> = (_request, has) => {
  const changes = new Map<string, null>()
  if (has('stream_options')) changes.set('stream_options', null)
  if (has('max_completion_tokens') && has('max_tokens')) changes.set('max_completion_tokens', null)
  return changes
}

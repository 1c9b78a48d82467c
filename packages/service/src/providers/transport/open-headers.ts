// The vendors' own clients select versions and features with headers of these prefixes, and add new ones with every
// release. They are sent to every provider unchanged, except those that name an account: the account is this
// service's, not the caller's.

const prefix = /^(anthropic|openai)-/

/** Words in header names that select the account, who pays, or the credential. */
const accountWords = new Set([
  ...['org', 'organization', 'organisation', 'project', 'workspace', 'account', 'tenant', 'admin'],
  ...['customer', 'billing', 'user', 'profile', 'subscription'],
  ...['key', 'apikey', 'token', 'secret', 'auth', 'authorization', 'credential', 'credentials'],
])

/** `anthropic-beta` passes, `openai-organization` and `anthropic-workspace-id` do not. `name` is in lower case. */
export const isOpenHeader = (name: string): boolean =>
  prefix.test(name) && !name.split(/[-_.]/).some((word) => accountWords.has(word))

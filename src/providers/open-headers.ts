// The vendors' own clients say with headers of these prefixes which version and which features they mean, and invent new ones with every
// release. They go to the provider as they are, whichever it is. Less what names an account: that is this service's, not the caller's.

const prefix = /^(anthropic|openai)-/

/** Words in the name of a header that says whose account a call belongs to, who pays, or who proves it. */
const accountWords = new Set([
  ...['org', 'organization', 'organisation', 'project', 'workspace', 'account', 'tenant', 'admin'],
  ...['customer', 'billing', 'user', 'profile', 'subscription'],
  ...['key', 'apikey', 'token', 'secret', 'auth', 'authorization', 'credential', 'credentials'],
])

/** `anthropic-beta` passes, `openai-organization` and `anthropic-workspace-id` do not. `name` is in lower case. */
export const isOpenHeader = (name: string): boolean =>
  prefix.test(name) && !name.split(/[-_.]/).some((word) => accountWords.has(word))

/** What prompts say, so that the provider knows what is wanted. */
export const words = { tools: 'COMPAT-TOOLS', abort: 'COMPAT-ABORT', number: 'COMPAT-NUMBER-' }

/** What prompts say, so that the provider knows what is wanted. */
export const words = {
  tools: 'COMPAT-TOOLS',
  mcp: 'COMPAT-MCP',
  abort: 'COMPAT-ABORT',
  number: 'COMPAT-NUMBER-',
}

import { baseUrl } from '../../../api'
import type { ClientSnippet } from '../../../components/code/call-snippet-texts'

/**
 * Client configurations that are ready to paste. They read the key from the environment. `server` null stands for the tools of all
 * servers.
 */
export function toolSnippets(server: string | null): ClientSnippet[] {
  const path = server === null ? '/mcp' : `/mcp/${server}`
  const name = server ?? 'tallystick'
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      note: 'In .mcp.json of the project; start claude in the same shell. /mcp lists the tools.',
      code: `{
  "mcpServers": {
    "${name}": {
      "type": "http",
      "url": "${baseUrl}${path}",
      "headers": { "Authorization": "Bearer \${TALLYSTICK_KEY}" }
    }
  }
}`,
    },
    {
      id: 'codex',
      name: 'Codex',
      note: 'In ~/.codex/config.toml; start codex in the same shell.',
      code: `[mcp_servers.${name}]
url = "${baseUrl}${path}"
bearer_token_env_var = "TALLYSTICK_KEY"`,
    },
    {
      id: 'client',
      name: 'MCP client, JS',
      note: 'npm install @modelcontextprotocol/client; save it as tools.mjs and run node tools.mjs',
      code: `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { TALLYSTICK_URL, TALLYSTICK_KEY } = process.env
const client = new Client({ name: 'my-agent', version: '1.0.0' })
const transport = new StreamableHTTPClientTransport(new URL(\`\${TALLYSTICK_URL}${path}\`), {
  requestInit: { headers: { Authorization: \`Bearer \${TALLYSTICK_KEY}\` } },
})
await client.connect(transport)
const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name))
await client.close()`,
    },
  ]
}

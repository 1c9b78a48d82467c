import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Which protocol a client of the official package speaks. */
export type McpEra = 'modern' | 'older'

export interface McpClientOptions {
  era: McpEra
  key: string
  headers?: Record<string, string>
  capabilities?: ClientOptions['capabilities']
}

/** The official client, connected. */
export async function connectMcp(
  url: string,
  { era, key, headers, capabilities }: McpClientOptions,
  prepare: (client: Client) => void = () => undefined,
): Promise<{ client: Client; transport: StreamableHTTPClientTransport; close(): Promise<void> }> {
  const client = new Client(
    { name: 'a test', version: '1.0.0' },
    {
      ...(capabilities && { capabilities }),
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  prepare(client)
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
  })
  await client.connect(transport)
  return { client, transport, close: () => client.close() }
}

import type { JsonObject } from '../../../packages/record/src/json/index.js'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { keepListing } from '../../../packages/service/src/resources/mcp-servers/tools/keep-listing.js'
import type { TestService } from '../service/service.js'

/** A server as the API shows it. */
interface ShownServer {
  id: string
  name: string
  url: string | null
  pinning: 'off' | 'warn' | 'block'
}

export const aTool = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{ name, description: `Does ${name}`, inputSchema: { type: 'object' } },
  ...more,
})

/** A server lists these tools: what a replica that asked it does with the answer. */
export async function listAs(
  service: TestService,
  tenantId: string,
  { id, name, url, pinning }: ShownServer,
  ...tools: JsonObject[]
): Promise<void> {
  const { db, close } = openDatabase(service.database.url, () => undefined)
  const transport =
    url === null
      ? { type: 'stdio' as const, command: 'x', args: [], env: {}, cwd: null }
      : { type: 'http' as const, url }
  try {
    await keepListing(
      db,
      { id, tenantId, name, transport, pinning },
      {
        ...{ protocolVersion: '2025-11-25', serverInfo: { name: 'listed', version: '1.0' } },
        ...{ capabilities: { tools: {} }, instructions: null, tools },
      },
    )
  } finally {
    await close()
  }
}

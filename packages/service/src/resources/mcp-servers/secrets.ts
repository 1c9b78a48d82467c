import { createHeaderSeals, type Secrets, undecryptable } from '../../secrets/index.js'

interface Row {
  id: string
  tenant_id: string
}

export const { sealHeaders, openHeaders } = createHeaderSeals('mcp_servers.headers')

const clientSecretOf = ({ id, tenant_id }: Row) => ({
  purpose: 'mcp_servers.client_secret',
  tenantId: tenant_id,
  rowId: id,
})

export const sealClientSecret = (secrets: Secrets, row: Row, value: string): Promise<Buffer> =>
  secrets.seal(clientSecretOf(row), Buffer.from(value))

/** Returns null when there is none. */
export async function openClientSecret(
  secrets: Secrets,
  row: Row & { sealed_client_secret: Buffer | null },
): Promise<string | null | typeof undecryptable> {
  if (row.sealed_client_secret === null) return null
  const opened = await secrets.open(clientSecretOf(row), row.sealed_client_secret)
  return opened === undecryptable ? undecryptable : opened.toString()
}

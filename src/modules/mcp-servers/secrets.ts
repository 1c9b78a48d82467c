import { type Secrets, undecryptable } from '../../secrets/index.js'

interface Row {
  id: string
  tenant_id: string
}

export type Headers = Readonly<Record<string, string>>

const place = ({ id, tenant_id }: Row, purpose: string) => ({ purpose, tenantId: tenant_id, rowId: id })
const headersOf = (row: Row) => place(row, 'mcp_servers.headers')
const clientSecretOf = (row: Row) => place(row, 'mcp_servers.client_secret')

/** Null for no headers. */
export async function sealHeaders(secrets: Secrets, row: Row, headers: Headers): Promise<Buffer | null> {
  if (Object.keys(headers).length === 0) return null
  return await secrets.seal(headersOf(row), Buffer.from(JSON.stringify(headers)))
}

export async function openHeaders(
  secrets: Secrets,
  row: Row & { sealed_headers: Buffer | null },
): Promise<Headers | typeof undecryptable> {
  if (row.sealed_headers === null) return {}
  const opened = await secrets.open(headersOf(row), row.sealed_headers)
  return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
}

export const sealClientSecret = (secrets: Secrets, row: Row, value: string): Promise<Buffer> =>
  secrets.seal(clientSecretOf(row), Buffer.from(value))

/** Null for none. */
export async function openClientSecret(
  secrets: Secrets,
  row: Row & { sealed_client_secret: Buffer | null },
): Promise<string | null | typeof undecryptable> {
  if (row.sealed_client_secret === null) return null
  const opened = await secrets.open(clientSecretOf(row), row.sealed_client_secret)
  return opened === undecryptable ? undecryptable : opened.toString()
}

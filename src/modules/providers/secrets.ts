import { type Secrets, undecryptable } from '../../secrets/index.js'

interface Row {
  id: string
  tenant_id: string
}

const headersPlace = ({ id, tenant_id }: Row) => ({
  purpose: 'providers.headers',
  tenantId: tenant_id,
  rowId: id,
})
const valuePlace = ({ id, tenant_id }: Row) => ({
  purpose: 'provider_credentials.value',
  tenantId: tenant_id,
  rowId: id,
})

export type Headers = Readonly<Record<string, string>>

/** Null for no headers. */
export async function sealHeaders(secrets: Secrets, row: Row, headers: Headers): Promise<Buffer | null> {
  if (Object.keys(headers).length === 0) return null
  return await secrets.seal(headersPlace(row), Buffer.from(JSON.stringify(headers)))
}

export async function openHeaders(
  secrets: Secrets,
  row: Row & { sealed_headers: Buffer | null },
): Promise<Headers | typeof undecryptable> {
  if (row.sealed_headers === null) return {}
  const opened = await secrets.open(headersPlace(row), row.sealed_headers)
  return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
}

export const sealValue = (secrets: Secrets, row: Row, value: string): Promise<Buffer> =>
  secrets.seal(valuePlace(row), Buffer.from(value))

export async function openValue(
  secrets: Secrets,
  row: Row & { sealed_value: Buffer | null },
): Promise<string | typeof undecryptable> {
  if (row.sealed_value === null) return undecryptable
  const opened = await secrets.open(valuePlace(row), row.sealed_value)
  return opened === undecryptable ? undecryptable : opened.toString()
}

// Of a short value, four characters would be much of it.
const minHintedLength = 12

/** The last four characters: enough to tell one key from another, too few to be of use. */
export const hintOf = (value: string): string =>
  value.trim().length < minHintedLength ? '' : value.trim().slice(-4)

import { createHeaderSeals, type Secrets, undecryptable } from '../../secrets/index.js'

interface Row {
  id: string
  tenant_id: string
}

export const { sealHeaders, openHeaders } = createHeaderSeals('providers.headers')

const valuePlace = ({ id, tenant_id }: Row) => ({
  purpose: 'provider_credentials.value',
  tenantId: tenant_id,
  rowId: id,
})

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

// Four characters would be a large part of a shorter value.
const minHintedLength = 12

/** The last four characters: enough to tell keys apart, too few to be useful. */
export const hintOf = (value: string): string =>
  value.trim().length < minHintedLength ? '' : value.trim().slice(-4)

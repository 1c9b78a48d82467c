import { type Secrets, undecryptable } from './secrets.js'

export type Headers = Readonly<Record<string, string>>

interface Row {
  id: string
  tenant_id: string
}

/** Returns functions that seal and open the headers of a row. A row without headers stores null. */
export function createHeaderSeals(purpose: string) {
  const locationOf = ({ id, tenant_id }: Row) => ({ purpose, tenantId: tenant_id, rowId: id })
  return {
    async sealHeaders(secrets: Secrets, row: Row, headers: Headers): Promise<Buffer | null> {
      if (Object.keys(headers).length === 0) return null
      return await secrets.seal(locationOf(row), Buffer.from(JSON.stringify(headers)))
    },

    async openHeaders(
      secrets: Secrets,
      row: Row & { sealed_headers: Buffer | null },
    ): Promise<Headers | typeof undecryptable> {
      if (row.sealed_headers === null) return {}
      const opened = await secrets.open(locationOf(row), row.sealed_headers)
      return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
    },
  }
}

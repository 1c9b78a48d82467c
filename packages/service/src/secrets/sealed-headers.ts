import { type Secrets, undecryptable } from './secrets.js'

export type Headers = Readonly<Record<string, string>>

interface Row {
  id: string
  tenant_id: string
}

/** Seals the headers of a row together, for one purpose. No headers are null. */
export function createHeaderSeals(purpose: string) {
  const placeOf = ({ id, tenant_id }: Row) => ({ purpose, tenantId: tenant_id, rowId: id })
  return {
    async sealHeaders(secrets: Secrets, row: Row, headers: Headers): Promise<Buffer | null> {
      if (Object.keys(headers).length === 0) return null
      return await secrets.seal(placeOf(row), Buffer.from(JSON.stringify(headers)))
    },

    async openHeaders(
      secrets: Secrets,
      row: Row & { sealed_headers: Buffer | null },
    ): Promise<Headers | typeof undecryptable> {
      if (row.sealed_headers === null) return {}
      const opened = await secrets.open(placeOf(row), row.sealed_headers)
      return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
    },
  }
}

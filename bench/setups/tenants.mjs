import { openDatabase } from '../../packages/service/src/db/index.js'
import { operatorOf } from '../../packages/service/src/resources/audit/index.js'
import { createKey } from '../../packages/service/src/resources/keys/index.js'
import { createTenant } from '../../packages/service/src/resources/tenants/index.js'

/**
 * Creates tenants with a key each, as `tallystick tenant create` does.
 * @param {string} databaseUrl @param {number} count @param {{ name: string, rpmLimit: number, tpmLimit: number }} key
 * @returns {Promise<Record<string, string>[]>} the headers of a call of each tenant
 */
export async function createTenants(databaseUrl, count, key) {
  const { db, close } = openDatabase(databaseUrl, (error) => console.error(error.message))
  try {
    const headers = []
    for (let n = 0; n < count; n++) {
      const { id } = await createTenant(db, `tenant-${n}`)
      const { value } = await createKey(db, operatorOf(id), key)
      headers.push({ authorization: `Bearer ${value}` })
    }
    return headers
  } finally {
    await close()
  }
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { masterKey } from '../../../../../test/harness/processes/master-key.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type Database, openDatabase } from '../../db/index.js'
import { openSecrets, type Secrets } from '../../secrets/index.js'
import { createTenant } from '../tenants/index.js'
import { createConsents, hashOf } from './consents.js'

let database: TestDatabase
let opened: Database
let secrets: Secrets
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase(database.url, () => undefined)
  secrets = await openSecrets({ db: opened.db, dataDir: '', configured: masterKey, warn: () => undefined })
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function addConsent(state: string): Promise<void> {
  const { id: tenantId } = await createTenant(opened.db, `of-${state}`)
  await database.query(
    `insert into mcp_consents (id, tenant_id, server_id, subject, sealed, expires_at)
     values ($1, $2, 'srv', 'user:ada', '', now() + interval '10 minutes')`,
    [hashOf(state), tenantId],
  )
}

test('a consent is claimed once, also by who began to before the one that was faster', async () => {
  await addConsent('state')
  const { db } = opened
  const early = await db.transaction().execute(async (tx) => {
    // Its time is that of its first statement.
    await tx.selectFrom('tenants').select('id').execute()
    expect(await createConsents({ db, secrets }).claim('state')).toBe(true)
    return await createConsents({ db: tx, secrets }).claim('state')
  })
  expect(early).toBe(false)
})

test('of many who claim a consent at once, one gets it', async () => {
  const consents = createConsents({ db: opened.db, secrets })
  for (let round = 0; round < 20; round++) {
    await addConsent(`round-${round}`)
    const claims = await Promise.all(Array.from({ length: 6 }, () => consents.claim(`round-${round}`)))
    expect(claims.filter(Boolean)).toHaveLength(1)
  }
})

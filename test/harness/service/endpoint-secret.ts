import type { Db } from '../../../packages/service/src/db/index.js'
import { openSecrets } from '../../../packages/service/src/secrets/index.js'
import { masterKey } from '../processes/master-key.js'

/** Creates a secret for an endpoint that a test inserts with SQL. */
export async function sealEndpointSecret(db: Db, tenantId: string, endpointId: string): Promise<Buffer> {
  const secrets = await openSecrets({ db, dataDir: '', configured: masterKey, warn: () => undefined })
  const place = { purpose: 'webhook_endpoints.secret', tenantId, rowId: endpointId }
  return await secrets.seal(place, Buffer.from('whsec_'))
}

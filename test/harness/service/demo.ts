import { openDatabase } from '../../../packages/service/src/db/index.js'
import {
  type FilledDemo,
  fillDemo,
  generateTraffic,
  type Traffic,
  type TrafficOptions,
} from '../../../packages/service/src/demo/index.js'
import { providerTypes } from '../../../packages/service/src/main/models/model-directories.js'
import { loadSigningKey } from '../../../packages/service/src/record/index.js'
import { openSecrets } from '../../../packages/service/src/secrets/index.js'
import type { Api } from './api.js'
import type { TestService } from './service.js'

/** A tenant with generated traffic, and the traffic itself. */
export interface DemoTenant extends FilledDemo {
  traffic: Traffic
  api: Api
}

/** Fills a tenant of a running service the way `tallystick demo` does. */
export async function addDemoTenant(
  service: TestService,
  name: string,
  options: Omit<TrafficOptions, 'end'>,
): Promise<DemoTenant> {
  const signingKey = await loadSigningKey({ dataDir: service.dataDir, configured: null })
  if (signingKey === null) throw new Error('the service has no signing key')
  const now = new Date()
  const traffic = generateTraffic({ ...options, end: now })
  const { db, close } = openDatabase(service.database.url, () => undefined)
  try {
    const secrets = await openSecrets({
      db,
      dataDir: service.dataDir,
      configured: null,
      warn: () => undefined,
    })
    const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined }
    const place = {
      db,
      databaseUrl: service.database.url,
      signingKey,
      secrets,
      providerTypes,
      configuredProviders: [],
      log: silent,
      now,
      onProgress: () => undefined,
    }
    const filled = await fillDemo(place, name, traffic)
    return { ...filled, traffic, api: service.as(filled.managerKey) }
  } finally {
    await close()
  }
}

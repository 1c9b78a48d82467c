import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { type App, principalOf } from '../../http/index.js'
import { listSeals, readRecordSize, readRecordStart } from '../../record/index.js'
import { isDemoTenant } from '../../resources/tenants/index.js'
import { About } from './schema.js'

/** The parts that do not depend on the caller, from the composition root. */
interface ConfigDescription {
  version: string
  mode: About['mode']
  modeReason: string | null
  databaseType: About['database']['type']
  features: About['features']
  retention: About['retention']
}

export interface AboutSettings {
  startedAt: Date
  /** Describes the configuration that is in use now. */
  describeConfig(): ConfigDescription
  recordAvailable(): boolean
  checkRedis(): Promise<About['redis']>
}

export function registerAboutRoutes(
  app: App,
  { db, now, settings }: { db: Db; now(): Date; settings: AboutSettings },
): void {
  app.get(
    '/v1/about',
    {
      config: { access: 'member' },
      schema: {
        tags: ['Service'],
        operationId: 'getAbout',
        summary: 'Get information about this service',
        description:
          'Returns the version, the state of the database and Redis, the size of the record, and the configuration. The response contains no secrets and no data of other tenants.',
        response: { 200: About },
      },
    },
    async (request) => await describe(db, principalOf(request).tenantId, settings, now()),
  )
}

async function describe(db: Db, tenantId: string, settings: AboutSettings, now: Date): Promise<About> {
  const { startedAt } = settings
  const { version, mode, modeReason, databaseType, features, retention } = settings.describeConfig()
  const [instance, redis, size, start, [newest], isDemo] = await Promise.all([
    readInstance(db, tenantId),
    settings.checkRedis(),
    readRecordSize(db, tenantId),
    readRecordStart(db, tenantId),
    listSeals(db, tenantId, { before: null, limit: 1 }),
    isDemoTenant(db, tenantId),
  ])
  return {
    product: 'Tallystick',
    version,
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    uptimeSeconds: Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1_000)),
    instanceId: instance.id,
    tenant: { id: tenantId, name: instance.tenant, isDemo },
    mode,
    modeReason,
    database: {
      type: databaseType,
      version: instance.version,
      status: settings.recordAvailable() ? 'ok' : 'degraded',
    },
    redis,
    record: {
      size,
      firstKept: start.range.size + 1,
      lastEntryAt: newest?.createdAt.toISOString() ?? null,
    },
    features,
    retention,
  }
}

async function readInstance(
  db: Db,
  tenantId: string,
): Promise<{ id: string; version: string; tenant: string }> {
  const { rows } = await sql<{ id: string; version: string; tenant: string }>`
    select i.id::text as id, split_part(current_setting('server_version'), ' ', 1) as version, t.name as tenant
    from instance i, tenants t where t.id = ${tenantId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the tenant of a principal no longer exists')
  return row
}

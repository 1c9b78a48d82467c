import { createRateLimitReader } from '../../calls/core/index.js'
import { createTargetReport } from '../../calls/model/index.js'
import type { Config } from '../../config/index.js'
import {
  bearerKey,
  createSessionCookies,
  gatewayAuthMethods,
  registerManagement,
  sessionCookie,
} from '../../http/index.js'
import { registerManagementMcp } from '../../mcp/management/index.js'
import { endpoints } from '../../providers/index.js'
import { createEvents } from '../../reporting/events/index.js'
import type { ReadReserved } from '../../resources/budgets/index.js'
import { createSignInSeals } from '../../resources/sessions/index.js'
import { findTenant } from '../../resources/tenants/index.js'
import type { Closable } from '../closers.js'
import type { Infrastructure } from '../infrastructure/infrastructure.js'
import { providerTypes } from '../models/model-directories.js'
import type { OpenRecord } from '../record/record.js'
import { toRecordedSpend } from '../record/recorded-spend.js'
import type { Rules } from '../rules.js'
import type { OpenServer } from '../server.js'
import { describeConfig } from './describe-config.js'
import { registerManagementRoutes } from './management-routes.js'

/** Mounts the management API, its live events, and the MCP server with the management tools. */
export async function mountManagementApi(
  infrastructure: Infrastructure,
  record: OpenRecord,
  rules: Rules,
  { app, operations, cursors, cursorKey, checkRedis }: OpenServer,
  onJobAdded: () => void,
): Promise<{ events: Closable }> {
  const { config, live, closers, warn, failed, db, changes, now, stopping, version, startedAt } =
    infrastructure
  const { admission, ledger } = record
  const { identities, sessions, directories, health, tools, principalNow } = rules
  const { publicUrl } = config
  const readReserved: ReadReserved = (tenantId, account) => admission.readReservedNanos(tenantId, account)
  const events = closers.add(
    createEvents({
      ...{ db, changes, cursors, principalNow, readReserved, now },
      onError: failed('streaming events'),
    }),
  )
  await checkSignInTenant(config)
  live.add({
    prepare: (next) => () => void checkSignInTenant(next).catch(failed('looking for the tenant of oidc')),
  })

  async function checkSignInTenant({ oidc }: Config): Promise<void> {
    if (oidc !== null && !(await findTenant(db, oidc.tenant)))
      warn(
        `oidc.tenant: there is no tenant ${oidc.tenant}; signing in by OpenID Connect fails until it is created`,
      )
  }
  const authMethods = [bearerKey(identities.findByKey), sessionCookie(sessions.findByValue, publicUrl)]
  await registerManagement(app, authMethods, (management) => {
    registerManagementRoutes(management, {
      ...infrastructure,
      ...record,
      ...rules,
      ...{ cursors, events, readReserved, onJobAdded, providerTypes },
      readOidc: () => live.current().oidc,
      stopping: stopping.signal,
      publicAddress: publicUrl,
      cookies: createSessionCookies(publicUrl),
      signInSeals: createSignInSeals(cursorKey),
      dialects: Object.keys(endpoints),
      readTargetHealth: createTargetReport(directories, health),
      random: Math.random,
      mcp: { ...tools, configured: tools.configured, askServer: tools.ask },
      readRateLimitStatus: createRateLimitReader(admission),
      about: {
        ...{ startedAt, recordAvailable: ledger.available, checkRedis },
        describeConfig: () => describeConfig(live.current()),
      },
      onAdjusted(correction) {
        admission
          .countReceipts([toRecordedSpend(correction)])
          .catch(failed('applying a correction to limits'))
      },
    })
  })
  await registerManagement(app, gatewayAuthMethods(identities.findByKey), (management) => {
    registerManagementMcp(management, { operations, publicAddress: publicUrl, version })
    tools.registerConsentPages(management)
  })
  return { events }
}

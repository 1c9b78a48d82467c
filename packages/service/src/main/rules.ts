import { TargetHealth } from '../calls/model/index.js'
import type { Principal } from '../http/index.js'
import { createHttpAsker, createPolicyJudge, createPolicySets } from '../policies/index.js'
import { createTokenCounter } from '../providers/index.js'
import { createSpanVerifier } from '../record/index.js'
import { createRateLimitedCounter } from '../reporting/usage/index.js'
import { createSpendLimits } from '../resources/budgets/index.js'
import { createErasures } from '../resources/compliance/index.js'
import { createContentCapture, createContentReader } from '../resources/content/index.js'
import { createKeyIdentities } from '../resources/keys/index.js'
import { createPacksInForce } from '../resources/packs/index.js'
import { createPromptReader } from '../resources/prompts/index.js'
import { createRoutes } from '../resources/routes/index.js'
import { createLiveSessions } from '../resources/sessions/index.js'
import { createContentSettings } from '../resources/settings/index.js'
import { isDemoTenant } from '../resources/tenants/index.js'
import { recordFailingCredential } from '../resources/webhooks/index.js'
import type { Infrastructure } from './infrastructure/infrastructure.js'
import type { ProviderFault } from './models/live-providers.js'
import { createModelDirectories } from './models/model-directories.js'
import type { OpenRecord } from './record/record.js'
import { createToolServers } from './tools/tool-servers.js'

/** Opens what decides about calls: who may call, what may be called, what is limited, judged and stored. */
export async function openRules(
  infrastructure: Infrastructure,
  { recordEvent }: Pick<OpenRecord, 'recordEvent'>,
) {
  const { live, closers, log, warn, failed, metrics, now, storage, db, changes } = infrastructure
  const { secrets, serviceSecrets, outbound, urlRules, yieldToEventLoop, version } = infrastructure

  // Who may call.
  const identities = closers.add(
    createKeyIdentities({ db, changes, onError: failed('storing when keys were used') }),
  )
  const sessions = closers.add(
    createLiveSessions({
      ...{ db, changes, entitlementsOf: identities.entitlementsOf },
      onError: failed('storing when sessions were used'),
    }),
  )

  // What may be called.
  const reportFault = ({ tenantId, ...fault }: ProviderFault) => {
    const configured = live.current().providers.find(({ id }) => id === fault.providerId)
    const of = tenantId === null ? { tenants: configured?.tenants ?? null } : { tenantId }
    recordFailingCredential(db, { ...fault, of }).catch(failed('recording a refused credential'))
  }
  const directories = closers.add(
    createModelDirectories({
      ...{ live, db, changes, secrets, outbound, now, warn },
      onFault: reportFault,
    }),
  )
  const tokens = closers.add(await createTokenCounter({ onDegraded: warn }))

  // What is limited and counted.
  const rateLimited = closers.add(
    createRateLimitedCounter({ db, onError: failed('counting calls over a limit') }),
  )

  // What proves and erases recorded calls.
  const spans = closers.add(createSpanVerifier({ db, databaseUrl: storage.url }))
  const erasures = closers.add(createErasures({ db, recordEvent, onError: failed('running erasures') }))

  const tools = closers.add(
    createToolServers({
      ...{ live, db, changes, secrets, outbound, urlRules, yieldToEventLoop, version, failed },
      isDemo: (tenantId) => isDemoTenant(db, tenantId),
      onOutput: (text) => log.info(text),
    }),
  )

  // What is stored of the content of calls, for tenants that enable it.
  const contentSettings = createContentSettings({ db, changes })
  const contentCapture = closers.add(
    createContentCapture({
      ...{
        db,
        secrets,
        settings: contentSettings,
        yieldToEventLoop,
        onError: failed('storing captured content'),
      },
      onLost: () => metrics.counter('contentLost', {}).add(),
    }),
  )

  return {
    ...{ identities, sessions, directories, tokens, rateLimited, spans, erasures, tools },
    ...{ contentSettings, contentCapture, contentReader: createContentReader({ db, secrets }) },
    prompts: createPromptReader({ db, changes }),
    routes: createRoutes({ db, changes }),
    health: new TargetHealth(() => performance.now()),
    policySets: createPolicySets({ db, changes }),
    packsInForce: createPacksInForce({ db, changes }),
    spendLimits: createSpendLimits({ db, changes }),
    policies: createPolicyJudge({
      ask: createHttpAsker({ post: outbound.post, secretOf: serviceSecrets.secretOf, now }),
      holdBackChars: () => live.current().streamHoldBackChars,
      yieldToEventLoop,
    }),
    /** Returns the current state of a principal; null when it may no longer call. */
    principalNow: async (principal: Principal) =>
      principal.sessionId === null
        ? await identities.find(principal)
        : await sessions.find({ tenantId: principal.tenantId, sessionId: principal.sessionId }),
  }
}

export type Rules = Awaited<ReturnType<typeof openRules>>

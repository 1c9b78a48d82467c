import type { Db } from '../db/index.js'
import { createEvaluator } from '../gateway/index.js'
import type { App, Cursors, PublicPlace, SessionCookies } from '../http/index.js'
import type { createSpanVerifier, NumberedReceipt, RecordEvent, SigningKey } from '../ledger/index.js'
import { type AboutFacts, registerAboutRoutes } from '../modules/about/index.js'
import { registerAttentionRoutes } from '../modules/attention/index.js'
import { registerAuditRoutes } from '../modules/audit/index.js'
import {
  budgetDependents,
  type ReadReserved,
  registerBudgetRequestRoutes,
  registerBudgetRoutes,
} from '../modules/budgets/index.js'
import { registerCallRoutes } from '../modules/calls/index.js'
import { registerCatalogueRoutes } from '../modules/catalogue/index.js'
import {
  type createErasures,
  registerAnchorRoutes,
  registerAttestationRoutes,
  registerCheckpointRoutes,
  registerErasureRoutes,
  registerExportRoutes,
  registerJobRoutes,
  registerProofRoutes,
  registerReceiptRoutes,
} from '../modules/compliance/index.js'
import { type createContentReader, registerContentRoutes } from '../modules/content/index.js'
import { type createEvents, registerEventRoutes } from '../modules/events/index.js'
import { type createKeyIdentities, keyDependents, registerKeyRoutes } from '../modules/keys/index.js'
import { registerMcpCredentialRoutes } from '../modules/mcp-credentials/index.js'
import {
  type McpServerRoutesOptions,
  registerMcpServerRoutes,
  registerMcpToolRoutes,
} from '../modules/mcp-servers/index.js'
import { type createPacksInForce, type loadPacks, registerPackRoutes } from '../modules/packs/index.js'
import {
  type createPolicySets,
  type createServiceSecrets,
  policyDependents,
  registerPolicyRoutes,
} from '../modules/policies/index.js'
import {
  type createPromptReader,
  registerPromptLabelRoutes,
  registerPromptRoutes,
  registerPromptVersionRoutes,
} from '../modules/prompts/index.js'
import { type ProviderTypes, registerProviderRoutes } from '../modules/providers/index.js'
import { type ReadTargetHealth, type Routes, registerRouteRoutes } from '../modules/routes/index.js'
import {
  type createLiveSessions,
  type OidcSettings,
  registerOidcRoutes,
  registerSessionRoutes,
  SignInAttempts,
  SignInRefusals,
  type SignInSeals,
} from '../modules/sessions/index.js'
import { type createContentSettings, registerSettingsRoutes } from '../modules/settings/index.js'
import { registerStandingRoutes, type StandingParts } from '../modules/standing/index.js'
import { registerMemberRoutes, registerTeamRoutes } from '../modules/teams/index.js'
import { createReadingTurns, registerUsageRoutes } from '../modules/usage/index.js'
import { registerUserLimitRoutes } from '../modules/user-limits/index.js'
import {
  type createSubscriptions,
  recordRequestFiled,
  registerDeliveryRoutes,
  registerWebhookRoutes,
} from '../modules/webhooks/index.js'
import type { Outbound, UrlRules } from '../outbound/index.js'
import type { Secrets } from '../secrets/index.js'
import type { WaitForTurn } from '../turns.js'
import type { Directories } from './models/model-directories.js'
import { projectCorrection } from './projections.js'
import { createToolAccess } from './tools/tool-access.js'
import type { ToolServers } from './tools/tool-servers.js'

type EvaluatorParts = Parameters<typeof createEvaluator>[0]

/** What the management API steers and reads. */
export interface ManagementParts extends EvaluatorParts {
  directories: Directories
  providerTypes: ProviderTypes
  db: Db
  cursors: Cursors
  now(): Date
  urlRules: UrlRules
  outbound: Outbound
  secrets: Secrets
  serviceSecrets: ReturnType<typeof createServiceSecrets>
  recordEvent: RecordEvent
  stopping: AbortSignal
  identities: ReturnType<typeof createKeyIdentities>
  sessions: ReturnType<typeof createLiveSessions>
  cookies: SessionCookies
  publicPlace: PublicPlace | null
  oidc: OidcSettings | null
  signInSeals: SignInSeals
  prompts: ReturnType<typeof createPromptReader>
  policySets: ReturnType<typeof createPolicySets>
  routes: Routes
  /** What a target of a route may say as its `dialect`. */
  dialects: readonly string[]
  readTargetHealth: ReadTargetHealth
  subscriptions: Awaited<ReturnType<typeof createSubscriptions>>
  mcp: Pick<McpServerRoutesOptions, 'servers' | 'configured' | 'askServer'> & Pick<ToolServers, 'credentials'>
  waitForTurn: WaitForTurn
  packs: ReturnType<typeof loadPacks>['packs']
  packsInForce: ReturnType<typeof createPacksInForce>
  contentSettings: ReturnType<typeof createContentSettings>
  contentReader: ReturnType<typeof createContentReader>
  spans: ReturnType<typeof createSpanVerifier>
  signingKey: SigningKey
  erasures: ReturnType<typeof createErasures>
  events: ReturnType<typeof createEvents>
  readReserved: ReadReserved
  about: AboutFacts
  readRateStanding: StandingParts['readRateStanding']
  /** A job of compliance waits for a worker. */
  onJobAdded(): void
  /** Told of a corrected cost once it is committed. */
  onAdjusted(correction: NumberedReceipt): void
}

/** Every route of the management API, each given what it needs. */
export function registerManagementRoutes(management: App, parts: ManagementParts): void {
  const { db, cursors, now, recordEvent, identities, policySets, spendLimits, contentReader } = parts
  const signIn = {
    ...{ db, cookies: parts.cookies, publicPlace: parts.publicPlace, onChange: parts.sessions.forget },
    ...{ attempts: new SignInAttempts(), refusals: new SignInRefusals(db) },
  }
  const { findByKey, findRefused } = identities
  const { findByValue: findBySession } = parts.sessions
  registerSessionRoutes(management, { ...signIn, cursors, findByKey, findRefused, findBySession })
  registerOidcRoutes(management, { ...signIn, oidc: parts.oidc, seals: parts.signInSeals })
  function forgetCallers(tenantId: string): void {
    identities.forget(tenantId)
    parts.sessions.forget(tenantId)
  }
  registerKeyRoutes(management, { db, cursors, onChange: forgetCallers })
  registerStandingRoutes(management, {
    ...{ db, now, spendLimits, readReserved: parts.readReserved },
    entitlementsOf: identities.entitlementsOf,
    readRateStanding: parts.readRateStanding,
  })
  const prompts = { db, cursors, onChange: parts.prompts.forget }
  registerPromptVersionRoutes(management, prompts)
  registerPromptLabelRoutes(management, prompts)
  registerPromptRoutes(management, prompts)
  registerPolicyRoutes(management, {
    db,
    cursors,
    urlRules: parts.urlRules,
    outbound: parts.outbound,
    onChange: policySets.forget,
    serviceSecrets: parts.serviceSecrets,
    evaluate: createEvaluator(parts),
  })
  const budgets = { db, cursors, readReserved: parts.readReserved, onChange: spendLimits.forget }
  registerBudgetRoutes(management, budgets)
  registerBudgetRequestRoutes(management, { ...budgets, onFiled: recordRequestFiled })
  const people = {
    db,
    cursors,
    // Deleting a team or a user may delete budgets and policies.
    onChange(tenantId: string) {
      forgetCallers(tenantId)
      spendLimits.forget(tenantId)
      policySets.forget(tenantId)
    },
    dependents: [keyDependents, budgetDependents, policyDependents],
  }
  registerTeamRoutes(management, people)
  registerMemberRoutes(management, people)
  registerUserLimitRoutes(management, people)
  const { routes, directories, dialects, readTargetHealth } = parts
  registerRouteRoutes(management, {
    ...{ db, cursors, routes, dialects, readTargetHealth },
    async modelFaultsOf(tenantId) {
      const models = await directories.for(tenantId)
      return (name) => {
        const found = models.find(name)
        return 'missing' in found ? found.missing : null
      }
    },
  })
  const { outbound, secrets } = parts
  registerProviderRoutes(management, {
    ...{ db, cursors, outbound, secrets },
    types: parts.providerTypes,
    live: directories.providers,
  })
  const mcp = { ...parts.mcp, db, secrets, accessOf: createToolAccess({ db, identities, policySets }) }
  registerMcpServerRoutes(management, { ...mcp, cursors, outbound })
  registerMcpCredentialRoutes(management, { ...mcp.credentials, db, accessOf: mcp.accessOf })
  registerMcpToolRoutes(management, { ...mcp, recordEvent, waitForTurn: parts.waitForTurn })
  registerCatalogueRoutes(management, { db, cursors, now, catalogue: directories.catalogue })
  const webhooks = { db, cursors, outbound, secrets, onChange: parts.subscriptions.forget }
  registerWebhookRoutes(management, webhooks)
  registerDeliveryRoutes(management, webhooks)
  registerAuditRoutes(management, { db, cursors })
  const adjustments = { db, recordEvent, project: projectCorrection, onAdjusted: parts.onAdjusted }
  registerReceiptRoutes(management, { cursors, adjustments })
  registerProofRoutes(management, { db })
  const { spans, signingKey, stopping } = parts
  registerAttestationRoutes(management, { db, spans, signingKey, now, stopping })
  registerSettingsRoutes(management, { db, recordEvent, onChange: parts.contentSettings.forget })
  registerContentRoutes(management, { reader: contentReader })
  registerPackRoutes(management, {
    db,
    catalogue: parts.packs,
    recordEvent,
    onChange: parts.packsInForce.forget,
  })
  registerErasureRoutes(management, { db, cursors, erasures: parts.erasures })
  registerAnchorRoutes(management, { db, cursors })
  registerCheckpointRoutes(management, { db, cursors })
  registerExportRoutes(management, { db })
  registerJobRoutes(management, { db, cursors, now, onAdded: parts.onJobAdded })
  // What is added up over many calls takes turns, whatever it is.
  const inTurn = createReadingTurns()
  registerCallRoutes(management, { db, cursors, content: contentReader, now, inTurn })
  registerUsageRoutes(management, { db, now, inTurn })
  registerEventRoutes(management, { events: parts.events })
  registerAttentionRoutes(management, {
    ...{ db, now, credentialsOf: parts.directories.credentialsOf },
    mcpServers: parts.mcp.configured,
  })
  registerAboutRoutes(management, { db, now, facts: parts.about })
}

import { createPolicyTrialRunner } from '../../calls/model/index.js'
import type { App } from '../../http/index.js'
import { policyDependents, registerPolicyRoutes } from '../../policies/index.js'
import { registerAboutRoutes } from '../../reporting/about/index.js'
import { registerAttentionRoutes } from '../../reporting/attention/index.js'
import { registerCallRoutes } from '../../reporting/calls/index.js'
import { registerEventRoutes } from '../../reporting/events/index.js'
import { registerKeyStandingRoutes } from '../../reporting/key-standing/index.js'
import { registerPolicyHitRoutes } from '../../reporting/policy-hits/index.js'
import { createReportSlots, registerUsageRoutes } from '../../reporting/usage/index.js'
import { registerAuditRoutes } from '../../resources/audit/index.js'
import {
  budgetDependents,
  registerBudgetRequestRoutes,
  registerBudgetRoutes,
} from '../../resources/budgets/index.js'
import { registerCatalogueRoutes } from '../../resources/catalogue/index.js'
import {
  registerAnchorRoutes,
  registerAttestationRoutes,
  registerCheckpointRoutes,
  registerErasureRoutes,
  registerExportRoutes,
  registerJobRoutes,
  registerProofRoutes,
  registerReceiptRoutes,
} from '../../resources/compliance/index.js'
import { registerContentRoutes } from '../../resources/content/index.js'
import { prepareAndAnswerOnce } from '../../resources/idempotency/index.js'
import { keyDependents, registerKeyRoutes } from '../../resources/keys/index.js'
import { registerManagedResourceRoutes } from '../../resources/managed-resources/index.js'
import { registerMcpCredentialRoutes } from '../../resources/mcp-credentials/index.js'
import { registerMcpServerRoutes, registerMcpToolRoutes } from '../../resources/mcp-servers/index.js'
import { registerPackRoutes } from '../../resources/packs/index.js'
import {
  registerPromptLabelRoutes,
  registerPromptRoutes,
  registerPromptVersionRoutes,
} from '../../resources/prompts/index.js'
import { registerProviderRoutes } from '../../resources/providers/index.js'
import { registerRouteRoutes } from '../../resources/routes/index.js'
import {
  registerOidcRoutes,
  registerSessionRoutes,
  SignInAttempts,
  SignInRefusals,
} from '../../resources/sessions/index.js'
import { registerSettingsRoutes } from '../../resources/settings/index.js'
import { registerSinkRoutes } from '../../resources/sinks/index.js'
import { registerMemberRoutes, registerTeamRoutes } from '../../resources/teams/index.js'
import { registerUserLimitRoutes } from '../../resources/user-limits/index.js'
import {
  recordBudgetRequest,
  registerDeliveryRoutes,
  registerWebhookRoutes,
} from '../../resources/webhooks/index.js'
import { projectCorrection } from '../record/projections.js'
import { createToolAccess } from '../tools/tool-access.js'
import type { ManagementParts } from './management-parts.js'

/** Registers every route of the management API. */
export function registerManagementRoutes(app: App, parts: ManagementParts): void {
  const { db, directories, identities, policySets, sessions, spendLimits } = parts
  const api = { app, db, cursors: parts.cursors, prepareAndAnswerOnce }
  // Reports over many calls share one semaphore.
  const shared = { ...parts, runReport: createReportSlots() }

  function forgetCallers(tenantId: string): void {
    identities.forget(tenantId)
    sessions.forget(tenantId)
  }
  async function modelFaultsOf(tenantId: string): Promise<(name: string) => string | null> {
    const models = await directories.for(tenantId)
    return (name) => {
      const found = models.find(name)
      return 'missing' in found ? found.missing : null
    }
  }
  const people = {
    // Deleting a team or a user may delete budgets and policies.
    onChange(tenantId: string) {
      forgetCallers(tenantId)
      spendLimits.forget(tenantId)
      policySets.forget(tenantId)
    },
    dependents: [keyDependents, budgetDependents, policyDependents],
  }
  const signIn = {
    ...{ ...parts, attempts: new SignInAttempts(), refusals: new SignInRefusals(db) },
    ...{ findByKey: identities.findByKey, findRefused: identities.findRefused },
    ...{ findBySession: sessions.findByValue, onChange: sessions.forget, seals: parts.signInSeals },
  }
  const mcp = { ...parts, ...parts.mcp, accessOf: createToolAccess({ db, identities, policySets }) }

  registerSessionRoutes(app, signIn)
  registerOidcRoutes(app, signIn)
  registerKeyRoutes(api, { onChange: forgetCallers })
  registerPolicyHitRoutes(app, shared)
  registerKeyStandingRoutes(app, { ...parts, entitlementsOf: identities.entitlementsOf })
  registerPromptVersionRoutes(api, { onChange: parts.prompts.forget })
  registerPromptLabelRoutes(api, { onChange: parts.prompts.forget })
  registerPromptRoutes(api, { onChange: parts.prompts.forget })
  registerPolicyRoutes(api, {
    ...parts,
    onChange: policySets.forget,
    evaluate: createPolicyTrialRunner(parts),
  })
  registerBudgetRoutes(api, { ...parts, onChange: spendLimits.forget })
  registerBudgetRequestRoutes(api, { onChange: spendLimits.forget, onFiled: recordBudgetRequest })
  registerTeamRoutes(api, people)
  registerMemberRoutes(api, people)
  registerUserLimitRoutes(api, people)
  registerRouteRoutes(api, { ...parts, modelFaultsOf })
  registerProviderRoutes(api, { ...parts, types: parts.providerTypes, live: directories.providers })
  registerMcpServerRoutes(api, mcp)
  registerMcpCredentialRoutes(api, { ...mcp, ...parts.mcp.credentials })
  registerMcpToolRoutes(api, mcp)
  registerCatalogueRoutes(api, { ...parts, catalogue: directories.catalogue })
  registerManagedResourceRoutes(api)
  registerWebhookRoutes(api, { ...parts, onChange: parts.subscriptions.forget })
  registerDeliveryRoutes(api, { ...parts, onChange: parts.subscriptions.forget })
  registerSinkRoutes(api, { ...parts, identity: parts.machineIdentity })
  registerAuditRoutes(api, parts)
  registerReceiptRoutes(api, { adjustments: { ...parts, project: projectCorrection } })
  registerProofRoutes(app, parts)
  registerAttestationRoutes(app, parts)
  registerSettingsRoutes(api, { ...parts, onChange: parts.contentSettings.forget })
  registerContentRoutes(app, { reader: parts.contentReader })
  registerPackRoutes(api, { ...parts, catalogue: parts.packs, onChange: parts.packsInForce.forget })
  registerErasureRoutes(api, parts)
  registerAnchorRoutes(api)
  registerCheckpointRoutes(api)
  registerExportRoutes(app, parts)
  registerJobRoutes(api, { ...parts, onAdded: parts.onJobAdded })
  registerCallRoutes(app, { ...shared, content: parts.contentReader })
  registerUsageRoutes(app, shared)
  registerEventRoutes(app, { events: parts.events })
  registerAttentionRoutes(app, {
    ...parts,
    credentialsOf: directories.credentialsOf,
    mcpServers: parts.mcp.configured,
  })
  registerAboutRoutes(app, { ...parts, settings: parts.about })
}

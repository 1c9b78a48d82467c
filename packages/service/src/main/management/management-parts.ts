import type { createPolicyTrialRunner } from '../../calls/model/index.js'
import type { Db, ReplicaReads } from '../../db/index.js'
import type { Cursors, PublicAddress, SessionCookies } from '../../http/index.js'
import type { Outbound, UrlRules } from '../../outbound/index.js'
import type { createPolicySets, createServiceSecrets } from '../../policies/index.js'
import type {
  createSpanVerifier,
  Ledger,
  NumberedReceipt,
  RecordEvent,
  SigningKey,
} from '../../record/index.js'
import type { AboutSettings } from '../../reporting/about/index.js'
import type { createEvents } from '../../reporting/events/index.js'
import type { KeyStandingParts } from '../../reporting/key-standing/index.js'
import type { ReadReserved } from '../../resources/budgets/index.js'
import type { createErasures } from '../../resources/compliance/index.js'
import type { createContentReader } from '../../resources/content/index.js'
import type { createKeyIdentities } from '../../resources/keys/index.js'
import type { McpServerRoutesOptions } from '../../resources/mcp-servers/index.js'
import type { createPacksInForce, loadPacks } from '../../resources/packs/index.js'
import type { createPromptReader } from '../../resources/prompts/index.js'
import type { ProviderTypes } from '../../resources/providers/index.js'
import type { ReadTargetHealth, Routes } from '../../resources/routes/index.js'
import type { createLiveSessions, OidcSettings, SignInSeals } from '../../resources/sessions/index.js'
import type { createContentSettings } from '../../resources/settings/index.js'
import type { MachineIdentity } from '../../resources/sinks/index.js'
import type { createSubscriptions } from '../../resources/webhooks/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { Directories } from '../models/model-directories.js'
import type { ToolServers } from '../tools/tool-servers.js'

type PolicyTrialParts = Parameters<typeof createPolicyTrialRunner>[0]

/** What the management API manages and reads. */
export interface ManagementParts extends PolicyTrialParts {
  directories: Directories
  providerTypes: ProviderTypes
  db: Db
  /** For reads that may be a moment old. */
  reads: ReplicaReads
  cursors: Cursors
  now(): Date
  urlRules: UrlRules
  outbound: Outbound
  secrets: Secrets
  serviceSecrets: ReturnType<typeof createServiceSecrets>
  recordEvent: RecordEvent
  machineIdentity: MachineIdentity
  ledger: Pick<Ledger, 'faultOf'>
  stopping: AbortSignal
  identities: ReturnType<typeof createKeyIdentities>
  sessions: ReturnType<typeof createLiveSessions>
  cookies: SessionCookies
  publicAddress: PublicAddress | null
  readOidc(): OidcSettings | null
  signInSeals: SignInSeals
  prompts: ReturnType<typeof createPromptReader>
  policySets: ReturnType<typeof createPolicySets>
  routes: Routes
  /** What a target of a route may say as its `dialect`. */
  dialects: readonly string[]
  readTargetHealth: ReadTargetHealth
  subscriptions: Awaited<ReturnType<typeof createSubscriptions>>
  mcp: Pick<McpServerRoutesOptions, 'servers' | 'configured' | 'askServer'> & Pick<ToolServers, 'credentials'>
  yieldToEventLoop: YieldToEventLoop
  packs: ReturnType<typeof loadPacks>['packs']
  packsInForce: ReturnType<typeof createPacksInForce>
  contentSettings: ReturnType<typeof createContentSettings>
  contentReader: ReturnType<typeof createContentReader>
  spans: ReturnType<typeof createSpanVerifier>
  signingKey: SigningKey
  erasures: ReturnType<typeof createErasures>
  events: ReturnType<typeof createEvents>
  readReserved: ReadReserved
  about: AboutSettings
  readRateLimitStatus: KeyStandingParts['readRateLimitStatus']
  /** Called when a background job was added. */
  onJobAdded(): void
  /** Called with a corrected cost once it is committed. */
  onAdjusted(correction: NumberedReceipt): void
}

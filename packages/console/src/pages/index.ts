import { auditPage } from './audit/page'
import { budgetsPage } from './budgets/page'
import { callsPage } from './calls/page'
import { compliancePage } from './compliance/page'
import { keysPage } from './keys/page'
import { overviewPage } from './overview/page'
import { peoplePage } from './people/page'
import { playgroundPage } from './playground/page'
import { policiesPage } from './policies/page'
import { promptsPage } from './prompts/page'
import { providersPage } from './providers/page'
import { settingsPage } from './settings/page'
import { sinksPage } from './sinks/page'
import { toolsPage } from './tools/page'
import { usagePage } from './usage/page'
import { webhooksPage } from './webhooks/page'
import { welcomePage } from './welcome/page'

/** Every page of the console that requires a session, in the order of the navigation. */
export const pages = [
  overviewPage,
  callsPage,
  usagePage,
  keysPage,
  budgetsPage,
  policiesPage,
  promptsPage,
  peoplePage,
  providersPage,
  toolsPage,
  webhooksPage,
  sinksPage,
  compliancePage,
  auditPage,
  playgroundPage,
  settingsPage,
  welcomePage,
] as const

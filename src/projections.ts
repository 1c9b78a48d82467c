import { closeCalls, type Projection } from './ledger/index.js'
import { projectSpend } from './modules/budgets/index.js'
import { projectCalls } from './modules/calls/index.js'
import { projectHeldAnswers, projectUsage } from './modules/usage/index.js'

/**
 * Everything that is derived from the record, for whoever writes to it: the service, and `tallystick demo`. The alerts run after
 * the projection of spend, which they read.
 */
export const createProjections = (alerts: readonly Projection[]): readonly Projection[] => [
  closeCalls,
  projectCalls,
  projectUsage,
  projectSpend,
  projectHeldAnswers,
  ...alerts,
]

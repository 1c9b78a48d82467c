import type { Statement } from '../db/index.js'
import { closeCalls, type NumberedReceipt, type Projection } from '../ledger/index.js'
import { projectSpend } from '../modules/budgets/index.js'
import { projectCallCorrection, projectCalls } from '../modules/calls/index.js'
import { projectHeldAnswers, projectUsage, projectUsageCorrection } from '../modules/usage/index.js'

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

/** What follows from a corrected cost, where the call that it corrects was counted. */
export const projectCorrection = (correction: NumberedReceipt): Statement[] => [
  ...projectSpend([correction]),
  ...projectUsageCorrection(correction),
  ...projectCallCorrection(correction),
]

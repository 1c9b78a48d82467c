import type { Statement } from '../db/index.js'
import { closeCalls, type NumberedReceipt, type Projection } from '../ledger/index.js'
import { createSpendProjection, projectSpend } from '../modules/budgets/index.js'
import { projectCallCorrection, projectCalls } from '../modules/calls/index.js'
import { projectReferences } from '../modules/references/index.js'
import { createUsageProjection, projectUsageCorrection } from '../modules/usage/index.js'

/**
 * Everything that is derived from the record, for one writer: of the service, or of `tallystick demo`. The alerts run after
 * the projection of spend, which they read.
 */
export const createProjections = (alerts: readonly Projection[]): readonly Projection[] => [
  closeCalls,
  projectCalls,
  createUsageProjection(),
  createSpendProjection(),
  projectReferences,
  ...alerts,
]

/** What follows from a corrected cost, where the call that it corrects was counted. */
export const projectCorrection = (correction: NumberedReceipt): Statement[] => [
  ...projectSpend([correction]),
  ...projectUsageCorrection(correction),
  ...projectCallCorrection(correction),
]

import type { Statement } from '../../db/index.js'
import { closeCalls, type NumberedReceipt, type Projection } from '../../record/index.js'
import { projectCallCorrection, projectCalls } from '../../reporting/calls/index.js'
import { projectUsage, projectUsageCorrection } from '../../reporting/usage/index.js'
import { projectReferences } from '../../resources/references/index.js'

/**
 * Everything that is derived from the record, in the order in which it is written. The alerts run after
 * the projection of usage, since they read spend.
 */
export const createProjections = (alerts: readonly Projection[]): readonly Projection[] => [
  closeCalls,
  projectCalls,
  projectUsage,
  projectReferences,
  ...alerts,
]

/** What follows from a corrected cost, where the call that it corrects was counted. */
export const projectCorrection = (correction: NumberedReceipt): Statement[] => [
  ...projectUsageCorrection(correction),
  ...projectCallCorrection(correction),
]

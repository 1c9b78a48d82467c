import type { Statement } from '../../db/index.js'
import { closeCalls, type NumberedReceipt, type Projection } from '../../record/index.js'
import { projectCallCorrection, projectCalls } from '../../reporting/calls/index.js'
import { projectUsage, projectUsageCorrection } from '../../reporting/usage/index.js'
import { projectReferences } from '../../resources/references/index.js'

/**
 * Returns all projections of the record, in the order in which they are written. Alerts come after usage, because they read
 * spend.
 */
export const createProjections = (alerts: readonly Projection[]): readonly Projection[] => [
  closeCalls,
  projectCalls,
  projectUsage,
  projectReferences,
  ...alerts,
]

/** Returns the statements that apply a corrected cost to the projections that counted its call. */
export const projectCorrection = (correction: NumberedReceipt): Statement[] => [
  ...projectUsageCorrection(correction),
  ...projectCallCorrection(correction),
]

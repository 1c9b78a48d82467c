export { closeDays, startClosingDays } from './closed-days.js'
export {
  createHeldAnswers,
  type HeldAnswers,
  projectHeldAnswers,
  startPruningHeldAnswers,
} from './held-answers.js'
export { startRollingUpDays } from './old-days.js'
export { createUsageProjection, projectUsageCorrection } from './projection.js'
export { createMinutePruner } from './prune-minutes.js'
export { createRateLimitedCounter } from './rate-limited.js'
export { createReadingTurns, type InTurn } from './reading-turns.js'
export { rebuildUsage } from './rebuild.js'
export { registerUsageRoutes } from './routes.js'

import { isSoak } from './soak.js'

/**
 * The default number of cases of a property. Each run has different cases, which depend on its seed, and `npm run soak` has many.
 * Expensive properties use a fraction of it, and properties whose cases rarely apply use a multiple.
 */
export const propertyRuns = isSoak ? 2_000 : 100

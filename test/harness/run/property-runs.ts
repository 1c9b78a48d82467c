import { isSoak } from './soak.js'

/**
 * How many cases a property is tried with that does not say otherwise. Each run has other cases, by its seed, and `npm run soak`
 * has many of them. One that is costly to try takes a part of it, and one whose cases seldom apply a multiple.
 */
export const propertyRuns = isSoak ? 2_000 : 100

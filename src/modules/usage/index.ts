export { projectUsage } from './projection.js'
export { createRateLimitedCounter, type RateLimitedCounter } from './rate-limited.js'

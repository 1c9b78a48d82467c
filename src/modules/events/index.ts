export { createEvents } from './events.js'
export { registerEventRoutes } from './routes.js'
export { defaultStreamLimits, StreamPlaces } from './stream-places.js'

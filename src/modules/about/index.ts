export { type AboutFacts, registerAboutRoutes } from './routes.js'

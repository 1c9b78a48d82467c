export { type AboutSettings, registerAboutRoutes } from './routes.js'

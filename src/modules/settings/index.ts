export { type ContentSettings, createContentSettings } from './capture-settings.js'
export { registerSettingsRoutes } from './routes.js'

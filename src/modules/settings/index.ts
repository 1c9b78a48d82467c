export { type CaptureSettings, type ContentSettings, createContentSettings } from './capture-settings.js'
export { registerSettingsRoutes } from './routes.js'

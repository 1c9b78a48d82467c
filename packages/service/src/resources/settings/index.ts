export { type ContentSettings, createContentSettings } from './capture-settings.js'
export { updateContentCapture } from './manage.js'
export { registerSettingsRoutes } from './routes.js'

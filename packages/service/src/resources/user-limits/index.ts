export { updateUserLimit } from './manage.js'
export { registerUserLimitRoutes } from './routes.js'

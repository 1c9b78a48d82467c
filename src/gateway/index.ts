export { registerGateway } from './routes.js'

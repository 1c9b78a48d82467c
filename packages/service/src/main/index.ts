export { readConfig, type Service, startService } from './start.js'

export { readConfig, readConfigWithSecrets, type Service, startService } from './start.js'

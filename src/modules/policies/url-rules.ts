export { requireAllowedUrl } from '../../outbound/index.js'

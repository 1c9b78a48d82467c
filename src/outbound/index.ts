export { createOutbound, type Outbound } from './outbound.js'
export { parseRange } from './public-address.js'
export { signBody } from './sign-body.js'
export { requireAllowedUrl, type UrlRules } from './url-rules.js'

export { api, baseUrl, type components, type paths } from './client'
export { explain, Problem } from './problem'
export { type Answer, ask, expectSuccess, type GetInit, type GetPath, keyOf } from './queries'

export { api, baseUrl, type components, type paths } from './client'
export { askPages } from './pages'
export { explain, Problem } from './problem'
export { type Answer, ask, expectSuccess, type GetInit, type GetPath, keyOf } from './queries'

export { api, baseUrl, type components } from './client'
export { askPages } from './pages'
export { explain, Problem } from './problem'
export { type Answer, ask, expectSuccess, type GetInit, keyOf } from './queries'

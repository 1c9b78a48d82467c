export { requireScope, ScopeReference } from './scope.js'

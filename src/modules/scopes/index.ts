export { requireScope, type Scope, ScopeReference } from './scope.js'

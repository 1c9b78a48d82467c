export {
  type Dependent,
  type Dependents,
  type InUse,
  refuseInUse,
  releaseDependents,
  type Subject,
} from './dependents.js'
export { requireScope, type Scope, ScopeReference } from './scope.js'

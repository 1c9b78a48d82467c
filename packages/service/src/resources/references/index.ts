export { eraseReferences } from './erase.js'
export { hashReference } from './hash.js'
export {
  createIssuedReferences,
  type IssuedReference,
  type IssuedReferenceReader,
} from './issued-references.js'
export { projectReferences } from './projection.js'
export { startPruningReferences } from './prune.js'

export { findReferences } from './find-references.js'
export { foldName } from './fold-name.js'
export { isLookedUp } from './items.js'
export { IssuedReferences, type NamedReference, type Reference } from './reference.js'

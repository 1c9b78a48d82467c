export { findToolsCalled, findToolsCalledIn, findToolsOffered, type ToolNamePiece } from './find-tools.js'
export type { ToolNames } from './tool-names.js'

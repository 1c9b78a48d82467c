export { findToolsCalled, findToolsCalledIn, findToolsOffered, type ToolNamePiece } from './find-tools.js'

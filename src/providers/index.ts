export { type ProviderBatches, ProviderRefusal, type UpstreamBatch } from './batches/contract.js'
export { billsError, errorUsageOf, type ReportedError } from './billed-errors.js'
export { readCatalogue } from './catalogue/read-catalogue.js'
export { countHere } from './count-here.js'
export type { CredentialFault } from './credentials/pool.js'
export {
  type AnswerForm,
  type Dialect,
  dialects,
  type EventAction,
  type FormShape,
  type HostedTool,
  type HostedTools,
  type ReportedUsage,
  type StreamAssembler,
  type StreamReader,
  type UploadedFile,
} from './dialects/index.js'
export { nothingProduced, type Produced } from './dialects/produced-texts.js'
export { cleanErrorBody } from './error-body.js'
export {
  createHttpProvider,
  type HttpProviderParts,
  type HttpProviderSettings,
} from './http-provider.js'
export {
  boundInput,
  findUngoverned,
  type HeldInput,
  isGovernedMember,
  readsInputsApart,
} from './input/index.js'
export { knownProviders } from './known-providers.js'
export { createMockProvider, mockSettings } from './mock/mock-provider.js'
export {
  createModelDirectory,
  type ModelDirectories,
  type ModelDirectory,
  type Target,
} from './models.js'
export { findReferences, type NamedReference, type Reference } from './references/index.js'
export { EventSplitter, isDone, type StreamEvent, writeEvent } from './sse.js'
export type { EventContext, EventTexts, StreamText } from './texts/dialect-texts.js'
export { EventShape } from './texts/event-shape.js'
export { FreeTexts } from './texts/free-texts.js'
export { hasRepeatedMember } from './texts/repeated-member.js'
export type { RevealingValue, TextPlace, TextWalk } from './texts/text-walk.js'
export { createTokenCounter, type TokenCounter } from './tokens.js'
export {
  findToolsCalled,
  findToolsCalledIn,
  findToolsOffered,
  type ToolNamePiece,
} from './tool-names/index.js'
export type {
  AnswerLimit,
  FailureKind,
  Provider,
  UpstreamCall,
  UpstreamRequest,
  UpstreamSink,
} from './transport.js'
export { namesProof } from './upstream-path.js'
export { vendors } from './vendors/index.js'

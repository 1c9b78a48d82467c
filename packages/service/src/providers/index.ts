export { type ProviderBatches, ProviderRefusal, type UpstreamBatch } from './batches/contract.js'
export { billsError, errorUsageOf, type ReportedError } from './billed-errors.js'
export {
  createModelDirectory,
  type ModelDirectories,
  type ModelDirectory,
  type Target,
} from './catalogue/model-directory.js'
export { readCatalogue } from './catalogue/read-catalogue.js'
export type { CredentialFault } from './credentials/pool.js'
export { countLocally } from './endpoints/count-tokens/count-locally.js'
export {
  type AnswerCodec,
  type Endpoint,
  type EventAction,
  endpoints,
  type HostedTool,
  type HostedTools,
  type ReportedUsage,
  type StreamAssembler,
  type StreamReader,
  type UploadedFile,
} from './endpoints/index.js'
export { nothingProduced, type Produced } from './endpoints/produced-texts.js'
export {
  createHttpProvider,
  type HttpProviderParts,
  type HttpProviderSettings,
} from './http-provider.js'
export {
  boundInput,
  findUnenforceableMember,
  isEnforcedMember,
  type VendorInput,
} from './input/index.js'
export { createMockProvider, mockSettings } from './mock/mock-provider.js'
export type {
  AnswerLimit,
  FailureKind,
  Provider,
  UpstreamCall,
  UpstreamRequest,
  UpstreamSink,
} from './provider.js'
export { findReferences, type NamedReference, type Reference } from './references/index.js'
export { EndpointShape, type FormShape } from './shapes/index.js'
export type { EventContext, EventTexts, StreamText } from './texts/endpoint-texts.js'
export { EventTemplate } from './texts/event-template.js'
export { FreeTexts } from './texts/free-texts.js'
export { hasRepeatedMember } from './texts/repeated-member.js'
export type { RevealingValue, TextLocation, TextWalk } from './texts/text-walk.js'
export { boundByBytes } from './tokenizer/byte-bound.js'
export { createTokenCounter, type TokenCounter } from './tokenizer/token-counter.js'
export {
  findToolsCalled,
  findToolsCalledIn,
  findToolsOffered,
  type ToolNamePiece,
} from './tool-names/index.js'
export { cleanErrorBody } from './transport/error-body.js'
export { isCredentialParameter } from './transport/join-queries.js'
export { EventSplitter, isDone, type StreamEvent, writeEvent } from './transport/sse.js'
export { vendorRules } from './vendor-rules.js'
export { vendors } from './vendors/index.js'

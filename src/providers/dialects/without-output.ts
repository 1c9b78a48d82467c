import type { Dialect, DialectRequest } from './dialect.js'

/** A request whose answer has no tokens that a maximum could hold for. */
export const withoutOutput: Omit<DialectRequest, 'faultIn'> = {
  outputFields: [],
  maxOutputOf: () => 0,
  extraOutputOf: () => [],
  minOutputOf: () => 0,
  tiersOf: () => [null],
  mediaOf: () => ({ audio: false, images: false }),
  mayReason: () => false,
  hostedToolsOf: () => ({ tools: [], maxUses: null }),
  maySummarize: () => false,
  countsOutputPerRound: false,
  limitToolUses: () => null,
  choicesOf: () => 1,
  withSystem: () => null,
  usageRequest: () => ({}),
  mayCacheForAnHour: () => false,
}

const neverStreamed = (): never => {
  throw new Error('this endpoint is not streamed')
}

/** Requests that ask for a stream must be refused. */
export const notStreamed: Pick<Dialect, 'readEvent' | 'readStream' | 'assembleStream' | 'streamError'> = {
  readEvent: () => ({ texts: [], revealing: [], ends: [] }),
  readStream: neverStreamed,
  assembleStream: neverStreamed,
  streamError: () => '',
}

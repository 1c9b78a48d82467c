import { chat } from './chat/index.js'
import { countTokens } from './count-tokens/index.js'
import type { Dialect } from './dialect.js'
import { embeddings } from './embeddings/index.js'
import { messages } from './messages/index.js'
import { responses } from './responses/index.js'

export type { StreamAssembler } from './assembler.js'
export type {
  Dialect,
  EventAction,
  HostedTool,
  HostedTools,
  ReportedUsage,
  StreamReader,
  UploadedFile,
} from './dialect.js'

/** By name. */
export const dialects = {
  chat,
  responses,
  embeddings,
  messages,
  count_tokens: countTokens,
} satisfies Record<string, Dialect>

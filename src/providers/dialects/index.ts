import { chat } from './chat/index.js'
import { completions } from './completions/index.js'
import { countTokens } from './count-tokens/index.js'
import type { Dialect } from './dialect.js'
import { embeddings } from './embeddings/index.js'
import { imageGenerations } from './images/generations.js'
import { messages } from './messages/index.js'
import { moderations } from './moderations/index.js'
import { rerank } from './rerank/index.js'
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
  completions,
  moderations,
  image_generations: imageGenerations,
  rerank,
} satisfies Record<string, Dialect>

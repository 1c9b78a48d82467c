import { speech } from './audio/speech.js'
import { transcriptions, translations } from './audio/transcriptions.js'
import { chat } from './chat/index.js'
import { completions } from './completions/index.js'
import { countTokens } from './count-tokens/index.js'
import type { Dialect } from './dialect.js'
import { embeddings } from './embeddings/index.js'
import { imageEdits, imageVariations } from './images/edits.js'
import { imageGenerations } from './images/generations.js'
import { messages } from './messages/index.js'
import { moderations } from './moderations/index.js'
import { rerank } from './rerank/index.js'
import { responses } from './responses/index.js'

export type { StreamAssembler } from './assembler.js'
export type {
  AnswerForm,
  Dialect,
  EventAction,
  FormShape,
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
  image_edits: imageEdits,
  image_variations: imageVariations,
  speech,
  transcriptions,
  translations,
  rerank,
} satisfies Record<string, Dialect>

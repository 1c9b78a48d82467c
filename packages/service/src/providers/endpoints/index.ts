import { speech } from './audio/speech.js'
import { transcriptions, translations } from './audio/transcriptions.js'
import { chat } from './chat/index.js'
import { completions } from './completions/index.js'
import { countTokens } from './count-tokens/index.js'
import { embeddings } from './embeddings/index.js'
import type { Endpoint } from './endpoint.js'
import { imageEdits, imageGenerations, imageVariations } from './images/index.js'
import { messages } from './messages/index.js'
import { moderations } from './moderations/index.js'
import { rerank } from './rerank/index.js'
import { responses } from './responses/index.js'
import { responsesCompact } from './responses-compact/index.js'

export type { StreamAssembler } from './assembler.js'
export type { AnswerCodec, Endpoint, EventAction, ReportedUsage, StreamReader } from './endpoint.js'
export type { HostedTool, HostedTools, UploadedFile } from './endpoint-request.js'

/** All endpoints, by name. */
export const endpoints = {
  chat,
  responses,
  responses_compact: responsesCompact,
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
} satisfies Record<string, Endpoint>

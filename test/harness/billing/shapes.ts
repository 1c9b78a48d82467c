import { speechShapes, transcriptShapes } from './shapes/audio.js'
import { chatShapes } from './shapes/chat.js'
import { completionsShapes } from './shapes/completions.js'
import { embeddingsShapes } from './shapes/embeddings.js'
import { imagesShapes } from './shapes/images.js'
import { blockShapes } from './shapes/message-blocks.js'
import { messagesShapes } from './shapes/messages.js'
import { countShapes, moderationShapes, rerankShapes } from './shapes/others.js'
import { itemShapes } from './shapes/response-items.js'
import { responsesShapes } from './shapes/responses.js'
import type { Shape } from './shapes/shape.js'

export type { FormFile, Shape } from './shapes/shape.js'

/** Every shape of request that we know of, by dialect. */
export const shapesOf = {
  chat: chatShapes,
  responses: [...responsesShapes, ...itemShapes],
  embeddings: embeddingsShapes,
  messages: [...messagesShapes, ...blockShapes],
  completions: completionsShapes,
  images: imagesShapes,
  rerank: rerankShapes,
  moderations: moderationShapes,
  counts: countShapes,
  speech: speechShapes,
  transcripts: transcriptShapes,
} as const satisfies Record<string, readonly Shape[]>

export const shapes: readonly Shape[] = Object.values(shapesOf).flat()

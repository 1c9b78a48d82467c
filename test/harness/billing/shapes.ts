import { chatShapes } from './shapes/chat.js'
import { embeddingsShapes } from './shapes/embeddings.js'
import { messagesShapes } from './shapes/messages.js'
import { responsesShapes } from './shapes/responses.js'
import type { Shape } from './shapes/shape.js'

/** Every shape of request that we know of, over the four dialects. */
export const shapes: readonly Shape[] = [
  ...chatShapes,
  ...responsesShapes,
  ...embeddingsShapes,
  ...messagesShapes,
]

export type { Shape } from './shapes/shape.js'

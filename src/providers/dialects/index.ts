import { chat } from './chat/index.js'
import type { Dialect, DialectName } from './dialect.js'
import { embeddings } from './embeddings/index.js'
import { messages } from './messages/index.js'
import { responses } from './responses/index.js'

export type { Dialect, DialectName, ReportedUsage, StreamReader } from './dialect.js'

export const dialects: Record<DialectName, Dialect> = { chat, responses, embeddings, messages }

import { chat } from './chat.js'
import type { Dialect, DialectName } from './dialect.js'
import { embeddings } from './embeddings.js'
import { messages } from './messages.js'
import { responses } from './responses.js'

export type { Dialect, DialectName, ReportedUsage, StreamReader } from './dialect.js'

export const dialects: Record<DialectName, Dialect> = { chat, responses, embeddings, messages }

import type { JsonObject } from '../json.js'

export type Path =
  | '/v1/chat/completions'
  | '/v1/responses'
  | '/v1/embeddings'
  | '/v1/messages'
  | '/v1/completions'
  | '/v1/images/generations'
  | '/v1/images/edits'
  | '/v1/images/variations'
  | '/v1/audio/speech'
  | '/v1/audio/transcriptions'
  | '/v1/audio/translations'
  | '/v1/moderations'
  | '/v1/messages/count_tokens'
  | '/v1/rerank'

/** A file of a form. */
export interface FormFile {
  field: string
  filename: string
  type: string
  bytes: Buffer
}

/** A request, named by what is special about it. */
export interface Shape {
  name: string
  path: Path
  model: string
  body: JsonObject
  /** How it is asked: both ways, where nothing else is said. */
  forms: readonly ('plain' | 'stream')[]
  headers?: Record<string, string>
  /** It is sent as a form, with these. */
  files?: readonly FormFile[]
  /** Another way to write the same JSON. */
  write?(text: string): string
  /** Calls that come before; what they answer becomes part of the body. */
  setup?(send: (body: JsonObject) => Promise<JsonObject>): Promise<JsonObject>
  /** Says more than models usually do here. */
  maxVisibleTokens?: number
  /** The answer does not say what is billed, so the record can only be at least that. */
  unsaid?: true
}

type Extra = Partial<Omit<Shape, 'name' | 'path' | 'model' | 'body'>>

const both = ['plain', 'stream'] as const

export const shape = (
  path: Path,
  name: string,
  model: string,
  members: JsonObject,
  extra: Extra = {},
): Shape => ({
  name,
  path,
  model,
  body: { model, ...members },
  forms: path === '/v1/embeddings' ? ['plain'] : both,
  ...extra,
})

import { anthropic } from './anthropic.js'
import { azureOpenai } from './azure-openai.js'
import { bedrock } from './bedrock.js'
import { cohere } from './cohere.js'
import { deepseek } from './deepseek.js'
import { fireworks } from './fireworks.js'
import { gemini } from './gemini.js'
import { groq } from './groq.js'
import { lmstudio } from './lmstudio.js'
import { mistral } from './mistral.js'
import { moonshot } from './moonshot.js'
import { ollama } from './ollama.js'
import { openai } from './openai.js'
import { openrouter } from './openrouter.js'
import { together } from './together.js'
import type { Vendor } from './vendor.js'
import { vertex } from './vertex.js'
import { vllm } from './vllm.js'
import { xai } from './xai.js'

export type { AuthorizeTools, StreamDecoder, Vendor } from './vendor.js'

const all: readonly Vendor[] = [
  openai,
  anthropic,
  azureOpenai,
  bedrock,
  vertex,
  gemini,
  mistral,
  xai,
  groq,
  deepseek,
  moonshot,
  together,
  fireworks,
  openrouter,
  cohere,
  ollama,
  vllm,
  lmstudio,
]

/** By type. */
export const vendors: ReadonlyMap<string, Vendor> = new Map(all.map((vendor) => [vendor.type, vendor]))

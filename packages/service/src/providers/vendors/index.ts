import { azureOpenai } from './clouds/azure-openai.js'
import { bedrock } from './clouds/bedrock.js'
import { vertex } from './clouds/vertex.js'
import { fireworks } from './hosting/fireworks.js'
import { groq } from './hosting/groq.js'
import { openrouter } from './hosting/openrouter.js'
import { together } from './hosting/together.js'
import { anthropic } from './labs/anthropic.js'
import { cohere } from './labs/cohere.js'
import { deepseek } from './labs/deepseek.js'
import { gemini } from './labs/gemini.js'
import { mistral } from './labs/mistral.js'
import { moonshot } from './labs/moonshot.js'
import { openai } from './labs/openai.js'
import { xai } from './labs/xai.js'
import { lmstudio } from './local/lmstudio.js'
import { ollama } from './local/ollama.js'
import { vllm } from './local/vllm.js'
import type { Vendor } from './vendor.js'

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

/** All vendors, by type. */
export const vendors: ReadonlyMap<string, Vendor> = new Map(all.map((vendor) => [vendor.type, vendor]))

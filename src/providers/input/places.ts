/**
 * Places of a body that a dialect knows. What stands there is rendered as the vendor's own markup: a text as it is, a name not at
 * all. Everything else may be written as JSON by the vendor, with escapes, and is bounded like that.
 */
export interface Place {
  /** What a string here is: read by the model as it is, a word of the protocol, or not expected. */
  string: 'text' | 'word' | 'unexpected'
  /** Objects here may be images, documents or references to what the vendor holds. */
  hasParts: boolean
  members: ReadonlyMap<string, Place>
}

interface Members {
  [name: string]: 'text' | 'word' | Place
}

const place = (members: Members, traits: Partial<Place> = {}): Place => ({
  string: 'unexpected',
  hasParts: false,
  members: new Map(
    Object.entries(members).map(([name, each]) => [
      name,
      typeof each === 'string' ? place({}, { string: each }) : each,
    ]),
  ),
  ...traits,
})

/** A list of items, which are parts themselves. */
const items = (members: Members): Place => place(members, { hasParts: true })
/** A text, or a list of parts. */
const parts = (members: Members): Place => place(members, { hasParts: true, string: 'text' })

const word = 'word'
const text = 'text'

const chatParts = parts({ type: word, text, refusal: text })
const chat = place({
  messages: items({
    role: word,
    name: word,
    content: chatParts,
    refusal: text,
    reasoning_content: text,
    tool_call_id: word,
    tool_calls: place({
      id: word,
      type: word,
      function: place({ name: word, arguments: text }),
      custom: place({ name: word, input: text }),
    }),
    function_call: place({ name: word, arguments: text }),
  }),
  prediction: place({ type: word, content: chatParts }),
})

const blockText: Members = { type: word, text }
const block: Members = {
  ...blockText,
  thinking: text,
  title: text,
  context: text,
  id: word,
  tool_use_id: word,
  name: word,
  source: place({ type: word, media_type: word, data: text, content: parts(blockText) }),
}
const messages = place({
  system: parts(blockText),
  messages: place({ role: word, content: parts({ ...block, content: parts(block) }) }),
})

const itemParts = parts({ type: word, text, refusal: text, detail: word, filename: word })
const responses = place({
  instructions: itemParts,
  input: parts({
    type: word,
    role: word,
    id: word,
    status: word,
    call_id: word,
    name: word,
    content: itemParts,
    summary: itemParts,
    output: itemParts,
    arguments: text,
    input: text,
    text,
    detail: word,
  }),
})

/** By the dialect's name. */
export const placesOf: Readonly<Record<string, Place>> = {
  chat,
  messages,
  responses,
  embeddings: place({ input: text }),
  completions: place({ prompt: text, suffix: text }),
  moderations: place({ input: parts({ type: word, text }) }),
  image_generations: place({ prompt: text }),
  image_edits: place({ prompt: text }),
  image_variations: place({ prompt: text }),
  speech: place({ input: text, instructions: text }),
  transcriptions: place({ prompt: text }),
  translations: place({ prompt: text }),
  rerank: place({ query: text, documents: parts({ text }) }),
}

type Shape = 'scalar' | 'flat'

const sampling: [string, Shape][] = [
  ['model', 'scalar'],
  ['stream', 'scalar'],
  ['temperature', 'scalar'],
  ['top_p', 'scalar'],
  ['metadata', 'flat'],
  ['service_tier', 'scalar'],
]
const openai: [string, Shape][] = [
  ...sampling,
  ['user', 'scalar'],
  ['store', 'scalar'],
  ['stream_options', 'flat'],
  ['top_logprobs', 'scalar'],
  ['parallel_tool_calls', 'scalar'],
  ['prompt_cache_key', 'scalar'],
  ['prompt_cache_retention', 'scalar'],
  ['safety_identifier', 'scalar'],
]

const ofImages: [string, Shape][] = [
  ['model', 'scalar'],
  ['n', 'scalar'],
  ['size', 'scalar'],
  ['quality', 'scalar'],
  ['style', 'scalar'],
  ['response_format', 'scalar'],
  ['output_format', 'scalar'],
  ['output_compression', 'scalar'],
  ['background', 'scalar'],
  ['moderation', 'scalar'],
  ['stream', 'scalar'],
  ['partial_images', 'scalar'],
  ['user', 'scalar'],
]
const files: [string, Shape][] = [
  ['image', 'flat'],
  ['mask', 'flat'],
]
const ofRecordings: [string, Shape][] = [
  ['model', 'scalar'],
  ['file', 'flat'],
  ['language', 'scalar'],
  ['response_format', 'scalar'],
  ['temperature', 'scalar'],
  ['stream', 'scalar'],
]

/** Top-level members that are no input, by dialect; left out only while they have the shape that they should have. */
export const noInput: Readonly<Record<string, ReadonlyMap<string, Shape>>> = {
  chat: new Map([
    ...openai,
    ['n', 'scalar'],
    ['max_tokens', 'scalar'],
    ['max_completion_tokens', 'scalar'],
    ['stop', 'flat'],
    ['seed', 'scalar'],
    ['logprobs', 'scalar'],
    ['frequency_penalty', 'scalar'],
    ['presence_penalty', 'scalar'],
    ['logit_bias', 'flat'],
    ['modalities', 'flat'],
    ['audio', 'flat'],
  ]),
  responses: new Map([
    ...openai,
    ['max_output_tokens', 'scalar'],
    ['max_tool_calls', 'scalar'],
    ['truncation', 'scalar'],
    ['background', 'scalar'],
    ['include', 'flat'],
    ['previous_response_id', 'scalar'],
    ['conversation', 'flat'],
  ]),
  messages: new Map([
    ...sampling,
    ['max_tokens', 'scalar'],
    ['top_k', 'scalar'],
    ['stop_sequences', 'flat'],
    ['inference_geo', 'scalar'],
    ['speed', 'scalar'],
  ]),
  embeddings: new Map([
    ['model', 'scalar'],
    ['encoding_format', 'scalar'],
    ['dimensions', 'scalar'],
    ['user', 'scalar'],
  ]),
  completions: new Map([
    ...openai,
    ['n', 'scalar'],
    ['best_of', 'scalar'],
    ['max_tokens', 'scalar'],
    ['echo', 'scalar'],
    ['stop', 'flat'],
    ['seed', 'scalar'],
    ['logprobs', 'scalar'],
    ['frequency_penalty', 'scalar'],
    ['presence_penalty', 'scalar'],
    ['logit_bias', 'flat'],
  ]),
  moderations: new Map([['model', 'scalar']]),
  image_generations: new Map(ofImages),
  image_edits: new Map([...ofImages, ...files]),
  image_variations: new Map([...ofImages, ...files]),
  speech: new Map([
    ['model', 'scalar'],
    ['voice', 'flat'],
    ['response_format', 'scalar'],
    ['speed', 'scalar'],
    ['stream_format', 'scalar'],
  ]),
  transcriptions: new Map(ofRecordings),
  translations: new Map(ofRecordings),
  rerank: new Map([
    ['model', 'scalar'],
    ['top_n', 'scalar'],
    ['max_tokens_per_doc', 'scalar'],
    ['return_documents', 'scalar'],
    ['rank_fields', 'flat'],
  ]),
}

// Members that limits, prices and rules read beside those that hold input.
const ruled = [
  ...[
    'tools',
    'functions',
    'tool_choice',
    'thinking',
    'reasoning',
    'mcp_servers',
    'container',
    'prompt',
    'audio',
  ],
  ...[
    'search_parameters',
    'web_search_options',
    'context_management',
    'prediction',
    'cache_control',
    'max_output_tokens',
  ],
  ...['max_new_tokens', 'n_predict', 'num_predict', 'best_of'],
]

/** Names of top-level members that the gateway reads, by dialect. */
export const knownMembers: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(placesOf).map(([dialect, { members }]) => [
    dialect,
    new Set([...members.keys(), ...(noInput[dialect]?.keys() ?? []), ...ruled]),
  ]),
)

export function hasShape(value: unknown, shape: Shape): boolean {
  if (value === null || typeof value !== 'object') return true
  return shape === 'flat' && Object.values(value).every((each) => each === null || typeof each !== 'object')
}

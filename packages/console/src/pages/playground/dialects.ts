export type DialectName = 'chat' | 'messages' | 'responses'

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

export interface PlaygroundRequest {
  model: string
  system: string
  messages: readonly Message[]
  maxOutputTokens: number | null
  temperature: number | null
  stream: boolean
  prompt: { id: string; version: number; variables: Record<string, string> } | null
}

interface Dialect {
  name: string
  path: string
  write(request: PlaygroundRequest): object
  /** The text of a complete response. */
  read(body: Tree): string
  /** The text that a stream event adds. */
  readEvent(event: Tree): string
}

/** Untrusted JSON: any member may be missing. */
export class Tree {
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  at(name: string | number): Tree {
    const value = this.#value
    if (typeof value !== 'object' || value === null) return new Tree(undefined)
    return new Tree(Object.entries(value).find(([key]) => key === String(name))?.[1])
  }

  get text(): string {
    return typeof this.#value === 'string' ? this.#value : ''
  }

  get items(): Tree[] {
    return Array.isArray(this.#value) ? this.#value.map((each) => new Tree(each)) : []
  }
}

const common = ({ model, stream, temperature, prompt }: PlaygroundRequest) => ({
  model,
  ...(stream && { stream }),
  ...(temperature !== null && { temperature }),
  ...(prompt && { prompt }),
})

const chat: Dialect = {
  name: 'Chat completions',
  path: '/v1/chat/completions',
  write: (request) => ({
    ...common(request),
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system', content: request.system }]),
      ...request.messages,
    ],
    ...(request.maxOutputTokens !== null && { max_completion_tokens: request.maxOutputTokens }),
  }),
  read: (body) => body.at('choices').at(0).at('message').at('content').text,
  readEvent: (event) => event.at('choices').at(0).at('delta').at('content').text,
}

const messages: Dialect = {
  name: 'Messages',
  path: '/v1/messages',
  write: (request) => ({
    ...common(request),
    ...(request.system !== '' && { system: request.system }),
    messages: request.messages,
    max_tokens: request.maxOutputTokens ?? 1_024,
  }),
  read: (body) =>
    body
      .at('content')
      .items.map((block) => block.at('text').text)
      .join(''),
  readEvent: (event) => event.at('delta').at('text').text,
}

const responses: Dialect = {
  name: 'Responses',
  path: '/v1/responses',
  write: (request) => ({
    ...common(request),
    ...(request.system !== '' && { instructions: request.system }),
    input: request.messages,
    ...(request.maxOutputTokens !== null && { max_output_tokens: request.maxOutputTokens }),
  }),
  read: (body) =>
    body
      .at('output')
      .items.flatMap((item) => item.at('content').items.map((part) => part.at('text').text))
      .join(''),
  readEvent: (event) =>
    event.at('type').text === 'response.output_text.delta' ? event.at('delta').text : '',
}

export const dialects: Record<DialectName, Dialect> = { chat, messages, responses }

/** The native dialect of a provider's models. */
export const dialectFor = (provider: string): DialectName => (provider === 'anthropic' ? 'messages' : 'chat')

import type { VendorModel } from './price-book.js'

// What the vendors charge beside tokens. Picodollars (1e-12 USD) per use.

const perThousand = (usd: number) => usd * 1_000_000_000

// Containers of the code interpreter and of the hosted shell, by their memory: charged once for all uses of a request.
export const containerFees: Readonly<Record<string, number>> = {
  '1g': 30_000_000_000,
  '4g': 120_000_000_000,
  '16g': 480_000_000_000,
  '64g': 1_920_000_000_000,
}

/** A hosted tool: what one use of it costs, and how many tokens of content it puts before the model. */
export interface HostedTool {
  fee(model: VendorModel): number
  contentTokens: number
}

// developers.openai.com/api/docs/pricing, "Built-in tools". Search content: a block of 8,000 tokens per call; with the preview
// tool on a model that does not reason the content is free and the call is 25 dollars a thousand.
export const openaiTools: Readonly<Record<string, HostedTool>> = {
  web_search: { fee: () => perThousand(10), contentTokens: 8_000 },
  web_search_preview: {
    fee: (model) => (model.reasons ? perThousand(10) : perThousand(25)),
    contentTokens: 8_000,
  },
  // guides/tools-file-search: chunks of 800 tokens, 20 results where `max_num_results` says nothing.
  file_search: { fee: () => perThousand(2.5), contentTokens: 800 * 20 },
  code_interpreter: { fee: () => 0, contentTokens: 500 },
  shell: { fee: () => 0, contentTokens: 500 },
  // guides/tools-connectors-mcp: no fee; the list of tools and their results are input tokens.
  mcp: { fee: () => 0, contentTokens: 2_000 },
}

export const fileSearchChunkTokens = 800

/** Tokens of the list of tools that a remote MCP server gives. */
export const mcpListTokens = 5_000

/** A chat completion of a search model searches once: 25 dollars a thousand. */
export const chatSearchFee = perThousand(25)

// developers.openai.com/api/docs/guides/image-generation, "Cost and latency", and the price of gpt-image-1's output: 40 dollars a million.
export const imageTokenPico = 40_000_000
export const generatedImageTokens: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '1024x1024': { low: 272, medium: 1_056, high: 4_160 },
  '1024x1536': { low: 408, medium: 1_584, high: 6_240 },
  '1536x1024': { low: 400, medium: 1_568, high: 6_208 },
}
/** What `auto` may come to. */
export const dearestImage = { size: '1024x1536', quality: 'high' } as const
/** "Each partial image will incur an additional 100 image output tokens." */
export const partialImageTokens = 100

/** Uses of a hosted tool where the request sets no bound. */
export const usesWithoutBound = 3

// platform.claude.com/docs/en/about-claude/pricing, "Web search tool"; web fetch has no fee, a large page has 25,000 tokens.
export const claudeWebSearchFee = perThousand(10)
export const claudeSearchTokens = 8_000
export const claudeFetchTokens = 25_000

// "Code execution tool": 5 cents an hour for a container, at least five minutes of it, once the free hours are used up.
export const claudeContainerFee = Math.ceil((50_000_000_000 * 5) / 60)

// agents-and-tools/tool-use/{bash,text-editor,computer-use}-tool: input tokens that Anthropic's own tools bring.
export const claudeToolTokens: readonly { type: RegExp; tokens: number }[] = [
  { type: /^bash_/, tokens: 245 },
  { type: /^text_editor_/, tokens: 700 },
  { type: /^computer_/, tokens: 735 + 499 },
]

// about-claude/pricing: "Fast mode" is six times on Opus 4.6; `inference_geo: "us"` a tenth more on every kind of token.
export const fastPermille: Readonly<Record<string, number>> = { 'claude-opus-4-6': 6_000 }
export const usGeoPermille = 1_100

import { answerMessage, type Iteration, type ServerUses } from './answer-messages.js'
import { checkInput, hash, maximumOf, produce, type Served, type VendorCall } from './call.js'
import { listPromptParts, type PromptPart } from './count-messages.js'
import {
  claudeContainerFee,
  claudeFetchTokens,
  claudeSearchTokens,
  claudeWebSearchFee,
  usesWithoutBound,
} from './fees.js'
import { at, isObject, itemsOf, type JsonObject, numberAt, textAt } from './json.js'
import { Refusal } from './media.js'
import { priceBook } from './price-book.js'
import { type BilledAt, type Metered, nothing, priceTokens } from './usage.js'

export function serveMessage(call: VendorCall): Served {
  const { body, model } = call
  const maximum = maximumOf(call, readMaximum(body))
  const parts = listPromptParts(body, model)
  const prompt = parts.reduce((sum, { tokens }) => sum + tokens, 0)
  checkInput(call, prompt)
  const thinks = /^(enabled|adaptive)$/.test(textAt(body, 'thinking', 'type'))
  const output = produce(call, maximum, thinks)
  const server = useServerTools(body)
  const compacted = compact(body, prompt, maximum)
  const cache = compacted ? uncached : cachePrefix(call, parts)
  const used: Metered = {
    ...nothing,
    ...cache,
    input: compacted ? compacted.summary : readAgain(prompt, server.contents, model.maxInput),
    output: output.shown + output.reasoning,
    reasoning: output.reasoning,
    feesPico: server.searches * claudeWebSearchFee + (server.executes ? claudeContainerFee : 0),
  }
  const at: BilledAt = {
    fast: body.speed === 'fast',
    ...(typeof body.inference_geo === 'string' && { geo: body.inference_geo }),
  }
  const advised = advise(call, prompt)
  const iterations: Iteration[] = []
  if (compacted)
    iterations.push({ type: 'compaction', used: { ...nothing, input: prompt, output: compacted.summary } })
  iterations.push(
    ...advised.map(({ model: name, used: of }) => ({ type: 'advisor_message', model: name, used: of })),
  )
  if (iterations.length > 0) iterations.push({ type: 'message', used })
  const answered = answerMessage({
    call,
    used,
    output,
    thinks,
    firstRead: compacted ? compacted.summary : prompt,
    at,
    iterations,
    server,
  })
  // build-with-claude/compaction: the figures at the top leave these iterations out, the bill does not.
  const besides = iterations
    .filter(({ type }) => type !== 'message')
    .map(({ model: other, used: of }) => priceAt(other ?? call.name, of, at))
  return { used, at, besidesPico: besides.reduce((sum, pico) => sum + pico, 0n), ...answered }
}

function priceAt(name: string, used: Metered, at: BilledAt): bigint {
  const model = priceBook[name]
  if (!model) throw new Refusal(`model: ${name}`)
  return priceTokens(name, model, used, at)
}

/** API reference, "Messages": `max_tokens` is required, and more than the budget of thinking. */
function readMaximum(body: JsonObject): number {
  const maximum = numberAt(body, 'max_tokens')
  if (maximum === undefined) throw new Refusal('max_tokens: Field required')
  const budget = numberAt(body, 'thinking', 'budget_tokens')
  if (budget !== undefined && budget >= maximum)
    throw new Refusal('`max_tokens` must be greater than `thinking.budget_tokens`.')
  if (budget !== undefined && budget < 1_024)
    throw new Refusal('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  return maximum
}

function useServerTools(body: JsonObject): ServerUses {
  const uses: ServerUses = { searches: 0, fetches: 0, executes: false, contents: [] }
  for (const tool of itemsOf(body.tools)) {
    const count = numberAt(tool, 'max_uses') ?? usesWithoutBound
    const type = textAt(tool, 'type')
    uses.executes ||= type.startsWith('code_execution_')
    if (type.startsWith('web_search_')) {
      uses.searches += count
      uses.contents.push(...Array<number>(count).fill(claudeSearchTokens))
    } else if (type.startsWith('web_fetch_')) {
      uses.fetches += count
      const tokens = numberAt(tool, 'max_content_tokens') ?? claudeFetchTokens
      uses.contents.push(...Array<number>(count).fill(tokens))
    }
  }
  return uses
}

/**
 * tool-use/web-search-tool, "Usage and pricing": results are input tokens "in search iterations executed during a single turn":
 * after each use the model reads the prompt and all results so far.
 */
function readAgain(prompt: number, contents: readonly number[], window: number): number {
  let [read, sum] = [prompt, prompt]
  for (const tokens of contents) {
    read = Math.min(window, read + tokens)
    sum += read
  }
  return sum
}

/** context_management with compact_20260112: above the trigger the whole prompt is read once more, for a summary. */
function compact(body: JsonObject, prompt: number, maximum: number): { summary: number } | null {
  const edit = itemsOf(at(body, 'context_management', 'edits')).find(
    (each) => textAt(each, 'type') === 'compact_20260112',
  )
  if (edit === undefined || prompt < (numberAt(edit, 'trigger', 'value') ?? 150_000)) return null
  return { summary: Math.min(maximum, 3_500) }
}

/** tool-use/advisor-tool: another model is asked, at its own price, and is told the whole prompt. */
function advise({ body }: VendorCall, prompt: number): { model: string; used: Metered }[] {
  return itemsOf(body.tools)
    .filter(isObject)
    .filter((tool) => textAt(tool, 'type').startsWith('advisor_'))
    .flatMap((tool) =>
      Array.from({ length: numberAt(tool, 'max_uses') ?? usesWithoutBound }, () => ({
        model: textAt(tool, 'model'),
        used: { ...nothing, input: prompt, output: numberAt(tool, 'max_tokens') ?? 2_000 },
      })),
    )
}

type CacheUse = Pick<Metered, 'cached' | 'written' | 'writtenHour'>
const uncached: CacheUse = { cached: 0, written: 0, writtenHour: 0 }

/** build-with-claude/prompt-caching: up to each marker the prompt is written, or read where it was written before. */
function cachePrefix({ model, held, name }: VendorCall, parts: readonly PromptPart[]): CacheUse {
  const use = { ...uncached }
  let [key, tokens, pending] = [name, 0, 0]
  for (const part of parts) {
    key = hash(`${key} ${part.key}`)
    tokens += part.tokens
    pending += part.tokens
    if (part.ttl === null || model.minCached === null || tokens < model.minCached) continue
    if (held.cache(key)) use.cached += pending
    else {
      use.written += pending
      if (part.ttl === '1h') use.writtenHour += pending
    }
    pending = 0
  }
  return use
}

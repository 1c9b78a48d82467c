import { inPieces, type Output, type Served, type StreamEvent, type VendorCall } from './call.js'
import { itemsOf, type JsonObject, textAt } from './json.js'
import { makeEncrypted, makeText } from './text-tokens.js'
import type { BilledAt, Metered } from './usage.js'

/** One sampling of a call that took several. */
export interface Iteration {
  type: string
  model?: string
  used: Metered
}

/** Uses of the tools that Anthropic runs itself. */
export interface ServerUses {
  searches: number
  fetches: number
  /** Code, in a container. */
  executes: boolean
  /** Tokens that each use put before the model. */
  contents: number[]
}

interface Answered {
  call: VendorCall
  used: Metered
  output: Output
  thinks: boolean
  /** Tokens of the first sampling. */
  firstRead: number
  at: BilledAt
  iterations: readonly Iteration[]
  server: ServerUses
}

export function answerMessage(answered: Answered): Pick<Served, 'answer' | 'events'> {
  const message = {
    id: `msg_${answered.call.id}`,
    type: 'message',
    role: 'assistant',
    model: answered.call.name,
    content: makeBlocks(answered),
    stop_reason: answered.output.cut ? 'max_tokens' : 'end_turn',
    stop_sequence: null,
    container: containerOf(answered),
    usage: { ...usageAtStart(answered), ...usageAtEnd(answered) },
  }
  return { answer: message, events: makeEvents(answered, message) }
}

/** The container that code was executed in. */
const containerOf = ({ call, server }: Answered): JsonObject | null =>
  server.executes ? { id: `container_${call.id}`, expires_at: '2026-11-16T12:00:00Z' } : null

const tokensOf = (used: Metered) => ({
  input_tokens: used.input - used.cached - used.written,
  cache_creation_input_tokens: used.written,
  cache_read_input_tokens: used.cached,
  cache_creation: {
    ephemeral_5m_input_tokens: used.written - used.writtenHour,
    ephemeral_1h_input_tokens: used.writtenHour,
  },
  output_tokens: used.output,
})

/** What the last event of a stream says: the sums, and what only the end can know. */
function usageAtEnd({ used, thinks, iterations, server }: Answered): JsonObject {
  const { cache_creation, ...sums } = tokensOf(used)
  return {
    ...sums,
    ...(thinks && { output_tokens_details: { thinking_tokens: used.reasoning } }),
    ...(server.contents.length > 0 && {
      server_tool_use: { web_search_requests: server.searches, web_fetch_requests: server.fetches },
    }),
    ...(iterations.length > 0 && {
      iterations: iterations.map(({ type, model, used: of }) => ({
        type,
        ...(model !== undefined && { model }),
        ...tokensOf(of),
      })),
    }),
  }
}

/** What the first one says: where it runs, and how the cache is written. */
const usageAtStart = ({ call, at, used, firstRead }: Answered): JsonObject => ({
  ...tokensOf({ ...used, input: firstRead, output: 1 }),
  service_tier: 'standard',
  inference_geo: at.geo ?? 'global',
  ...(typeof call.body.speed === 'string' && { speed: call.body.speed }),
})

function makeBlocks({ call, output, thinks, server, iterations }: Answered): JsonObject[] {
  const blocks: JsonObject[] = []
  if (iterations[0]?.type === 'compaction')
    blocks.push({ type: 'compaction', content: 'What was said so far.' })
  // extended-thinking, "Summarized thinking": the full thinking is billed, and stands encrypted in the signature.
  if (thinks)
    blocks.push({ type: 'thinking', thinking: 'A summary.', signature: makeEncrypted(output.reasoning) })
  const names = itemsOf(call.body.tools).map((tool) => textAt(tool, 'name'))
  for (const index of server.contents.keys()) {
    const id = `srvtoolu_${call.id}_${index}`
    const search = index < server.searches
    blocks.push({
      type: 'server_tool_use',
      id,
      name: names.find((name) => name === (search ? 'web_search' : 'web_fetch')) ?? 'web_search',
      input: search ? { query: 'tally' } : { url: 'https://pages.test/' },
    })
    blocks.push({
      type: search ? 'web_search_tool_result' : 'web_fetch_tool_result',
      tool_use_id: id,
      content: [],
    })
  }
  if (server.executes) {
    const id = `srvtoolu_${call.id}_run`
    const content = {
      type: 'bash_code_execution_result',
      stdout: '1',
      stderr: '',
      return_code: 0,
      content: [],
    }
    blocks.push({ type: 'server_tool_use', id, name: 'bash_code_execution', input: { command: 'echo 1' } })
    blocks.push({ type: 'bash_code_execution_tool_result', tool_use_id: id, content })
  }
  return [...blocks, { type: 'text', text: makeText(output.shown, call.model.encoding) }]
}

function makeEvents(answered: Answered, message: JsonObject): StreamEvent[] {
  const events: StreamEvent[] = []
  const send = (type: string, data: JsonObject) => events.push({ name: type, data: { type, ...data } })
  const { stop_reason } = message
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: usageAtStart(answered) },
  })
  send('ping', {})
  for (const [index, block] of makeBlocks(answered).entries()) {
    const { start, deltas } = inDeltas(block)
    send('content_block_start', { index, content_block: start })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  send('message_delta', {
    delta: { stop_reason: stop_reason ?? null, stop_sequence: null, container: containerOf(answered) },
    usage: usageAtEnd(answered),
  })
  send('message_stop', {})
  return events
}

function inDeltas(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  if (block.type === 'text')
    return {
      start: { type: 'text', text: '' },
      deltas: inPieces(textAt(block, 'text')).map((text) => ({ type: 'text_delta', text })),
    }
  if (block.type === 'thinking')
    return {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: textAt(block, 'thinking') },
        { type: 'signature_delta', signature: textAt(block, 'signature') },
      ],
    }
  return { start: block, deltas: [] }
}

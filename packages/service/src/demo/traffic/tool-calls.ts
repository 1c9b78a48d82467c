import { oneToolCall, type Price, priceHash, toolCallPrice } from '@tallystick/record/pricing'
import { toolCallFields } from '../../record/index.js'
import { runawayKey } from '../company/company.js'
import { appliesTo, type DemoPolicy, type PolicyName, policies } from '../company/policies.js'
import { allowedTools, type DemoToolServer, toolServers } from '../company/tool-servers.js'
import type { TimeSpan } from './hours.js'
import type { Random } from './random.js'
import { type DemoCall, unused } from './settle-calls.js'

type ServerName = 'tickets' | 'warehouse' | 'docs'

/** Servers by how often a team calls them, of those that its list names. The others have the open one. */
const serversOf: Record<string, readonly (readonly [ServerName, number])[]> = {
  Platform: [
    ['tickets', 55],
    ['docs', 45],
  ],
  Mobile: [
    ['tickets', 40],
    ['docs', 40],
    ['warehouse', 20],
  ],
  Support: [
    ['tickets', 75],
    ['docs', 25],
  ],
  Data: [
    ['warehouse', 65],
    ['docs', 35],
  ],
}
const openServers: readonly (readonly [ServerName, number])[] = [['docs', 1]]

const toolsOf: Record<ServerName, readonly (readonly [tool: string, weight: number])[]> = {
  tickets: [
    ['search_tickets', 44],
    ['read_ticket', 38],
    ['add_comment', 12],
    ['close_ticket', 6],
  ],
  warehouse: [
    ['run_query', 70],
    ['describe_table', 30],
  ],
  docs: [
    ['search_pages', 52],
    ['read_page', 44],
    ['list_spaces', 4],
  ],
}

const medianMs: Record<ServerName, number> = { tickets: 340, warehouse: 1_700, docs: 90 }

/** Since when the one that does not answer any more has not. */
const failingMs = 50 * 60_000

const nanosPerUsd = 1_000_000_000
const priceNanosOf = ({ pricePerCallUsd }: DemoToolServer): number =>
  Math.round(pricePerCallUsd * nanosPerUsd)

const terms = new Map(
  toolServers.map((server) => {
    const nanos = priceNanosOf(server)
    const price = toolCallPrice(nanos)
    return [server.name, { nanos, price, hash: priceHash(price), failure: server.failure }]
  }),
)

export const toolPrices: readonly Price[] = [...terms.values()].map(({ price }) => price)

/** Draws tool calls, each soon after a model's answer in the same session, as agents make them. */
export function drawToolCalls(
  calls: readonly DemoCall[],
  count: number,
  span: TimeSpan,
  random: Random,
): DemoCall[] {
  const drawn: DemoCall[] = []
  const asked = candidatesOf(calls)
  while (drawn.length < count && asked.length > 0) {
    const cause = random.pick(asked)
    let atMs = cause.atMs + (cause.latencyMs ?? 0) + random.whole(20, 900)
    for (let uses = random.whole(1, 3); uses > 0 && drawn.length < count; uses--) {
      const call = settleTool({ ...cause, atMs: Math.min(atMs, span.toMs - 1) }, span, random)
      drawn.push(call)
      atMs += (call.latencyMs ?? 0) + random.whole(10, 300)
    }
  }
  return drawn
}

/** Coding agents first; where there are none, any session; else anybody. The runaway has a story of its own. */
function candidatesOf(calls: readonly DemoCall[]): readonly DemoCall[] {
  const answered = calls.filter(({ outcome, key }) => outcome === 'ok' && key !== runawayKey)
  const inSession = answered.filter(({ session }) => session !== null)
  const ofAgents = inSession.filter(({ agent }) => agent !== null)
  return [ofAgents, inSession, answered].find((some) => some.length > 20) ?? calls
}

function settleTool(cause: DemoCall, span: TimeSpan, random: Random): DemoCall {
  const server = random.choose(serversOf[cause.team] ?? openServers)
  const wanted = random.choose(toolsOf[server])
  // One that waits for approval, since the server changed it; or one that the list of the team does not name.
  const isChanged = server === 'tickets' && random.chance(0.012)
  const tool = isChanged ? 'create_ticket' : wanted
  const isForbidden = isChanged || !isListed(cause.team, `${server}__${tool}`)
  const { nanos = 0, hash = '', failure = null } = terms.get(server) ?? {}
  const { provider, model } = toolCallFields({ server, tool, method: 'tools/call' })
  const use = { server, tool, isError: false, rpcCode: null, isForbidden }
  const findings = isForbidden ? [] : findIn(cause, server, random)
  const base: DemoCall = {
    ...cause,
    ...{ provider, model, asked: model, stream: false, firstTokenMs: null, tier: null, priceHash: hash },
    ...{ route: null, isCached: false, attempt: 1, first: null, isOverBudget: false, findings, tool: use },
  }
  const refused = { ...base, ...unused, outcome: 'blocked' as const, latencyMs: random.whole(2, 12) }
  if (isForbidden) return { ...refused, status: 404 }
  if (findings.includes('No credentials')) return { ...refused, status: 403 }

  const latencyMs = Math.round(random.spread(medianMs[server], 0.5))
  const sent = { ...base, counts: oneToolCall, usage: 'counted' as const, costNanos: nanos, latencyMs }
  const failed = { ...sent, outcome: 'upstream_error' as const, status: 502 }
  if (failure !== null && cause.atMs > span.toMs - failingMs)
    return { ...failed, latencyMs: random.whole(40, 400) }
  if (random.chance(0.008)) return { ...failed, tool: { ...use, rpcCode: -32_602 } }
  if (random.chance(0.005)) return { ...sent, outcome: 'aborted', status: 499 }
  const isRedacted = findings.some((name) => name === 'No personal data' || name === 'Customer numbers')
  const isError = random.chance(server === 'warehouse' ? 0.09 : 0.03)
  return { ...sent, outcome: isRedacted ? 'redacted' : 'ok', status: 200, tool: { ...use, isError } }
}

/** Without a list, a team has what is open: all that it calls. */
const isListed = (team: string, name: string): boolean =>
  allowedTools[team]?.some((pattern) => pattern === name || pattern === `${name.split('__')[0]}__*`) ?? true

function findIn({ team, tags, session }: DemoCall, server: ServerName, random: Random): PolicyName[] {
  const findings: PolicyName[] = []
  if (server !== 'docs' && random.chance(0.04)) findings.push('No personal data')
  if (team === 'Support' && random.chance(0.03)) findings.push('Customer numbers')
  if (random.chance(0.004)) findings.push('No credentials')
  if (team === 'Operations' && tags.project === 'dunlin' && session !== null) findings.push('Night shifts')
  return findings.filter((name) => policies.some((policy) => policy.name === name && appliesTo(policy, team)))
}

/** Policies that judge calls of tools: not those on models and sizes. */
export const judgesTools = ({ kind }: DemoPolicy): boolean => kind !== 'model_denylist' && kind !== 'limits'

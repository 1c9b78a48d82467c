import { type Counts, costNanos } from '@tallystick/record/pricing'
import type { EntryOutcome, UsageSource } from '../../record/index.js'
import type { DemoModel, DemoModels } from '../company/models.js'
import { longInputTokens, type PolicyName } from '../company/policies.js'
import { type DemoRoute, routeOf } from '../company/routes.js'
import type { Incident } from './incident.js'
import type { PlannedCall } from './plan-calls.js'
import type { Random } from './random.js'

/** What was called, where it was no model. */
export interface DemoToolUse {
  server: string
  tool: string
  /** It said itself that it failed. */
  isError: boolean
  /** Of a protocol error. */
  rpcCode: number | null
  /** Its caller may not call it. */
  isForbidden: boolean
}

/** A call as it happened. Times are milliseconds; people, teams, keys and policies are named, not identified. */
export interface DemoCall {
  atMs: number
  key: string
  userId: string | null
  team: string
  provider: string
  model: string
  /** The model as the caller spelt it. */
  asked: string
  stream: boolean
  status: number
  outcome: EntryOutcome
  counts: Counts
  usage: UsageSource
  tier: string | null
  costNanos: number
  priceHash: string
  latencyMs: number | null
  firstTokenMs: number | null
  session: string | null
  agent: string | null
  /** The route that was asked for; null where a model was. */
  route: string | null
  isCached: boolean
  /** From 1. Those of one call name the first of them. */
  attempt: number
  first: DemoCall | null
  tags: Readonly<Record<string, string>>
  /** Policies that found something. */
  findings: readonly PolicyName[]
  /** Refused for want of money. */
  isOverBudget: boolean
  /** Null for a call of a model. */
  tool: DemoToolUse | null
}

interface World {
  models: DemoModels
  incident: Incident | null
  random: Random
}

const maxRetries = 3

/** Settles a call with its retries. Clients retry after some seconds when a provider fails; for a route, the gateway does. */
export function settleWithRetries(planned: PlannedCall, world: World): DemoCall[] {
  const route = routeOf(planned.caller.key.name, planned.model.name)
  if (route !== null) return settleRouted(planned, route, world)
  const tries = [settleCall(planned, world)]
  let { atMs } = planned
  while (tries.at(-1)?.outcome === 'upstream_error' && tries.length <= maxRetries) {
    atMs += world.random.whole(1_500, 9_000)
    tries.push(settleCall({ ...planned, atMs }, world))
  }
  return tries
}

/** One target after the other, until one answers; some questions were answered before. */
function settleRouted(planned: PlannedCall, route: DemoRoute, world: World): DemoCall[] {
  const { random, models } = world
  if (route.cache !== null && random.chance(cacheHits)) return [answerAgain(planned, route, random)]
  const attempts: DemoCall[] = []
  let { atMs } = planned
  for (const name of [planned.model.name, ...route.targets.filter((each) => each !== planned.model.name)]) {
    const call = name === planned.model.name ? planned : { ...moveTo(planned, models[name]), atMs }
    const attempt = attempts.length + 1
    const settled = { ...settleAt(call, world), route: route.name, attempt, first: attempts[0] ?? null }
    attempts.push(settled)
    if (settled.outcome !== 'upstream_error') break
    atMs += (settled.latencyMs ?? 0) + random.whole(20, 200)
  }
  return attempts
}

const cacheHits = 0.12

function answerAgain(call: PlannedCall, { name }: DemoRoute, random: Random): DemoCall {
  const latencyMs = random.whole(4, 15)
  return {
    ...describe(call, random),
    ...unused,
    status: 200,
    outcome: 'ok',
    tier: null,
    latencyMs,
    firstTokenMs: call.stream ? latencyMs : null,
    findings: [],
    route: name,
    isCached: true,
  }
}

/** Settles a call: in most cases with an answer. */
export function settleCall(planned: PlannedCall, world: World): DemoCall {
  const { random, incident, models } = world
  const { instead } = planned.model
  const isMoved = incident?.shifts(planned, random) === true && instead !== null
  return settleAt(isMoved ? moveTo(planned, models[instead]) : planned, world)
}

function settleAt(call: PlannedCall, { random, incident }: World): DemoCall {
  const { model } = call
  const findings = findIn(call, random)
  const refusal = findings.find((name) => blocking.has(name))
  if (refusal !== undefined) return refuse(call, { findings, status: 403, random })

  const failure = incident?.failureOf(call, random) ?? rareFailure(random)
  if (failure !== null) {
    return {
      ...describe(call, random),
      ...unused,
      status: failure.status,
      outcome: 'upstream_error',
      latencyMs: failure.latencyMs,
      firstTokenMs: null,
      findings,
    }
  }

  const slowness = incident?.slownessOf(call) ?? 1
  const firstMs = Math.round(
    random.spread(model.firstTokenMs * slowness, 0.35) + (call.counts.input ?? 0) / 60,
  )
  const output = call.counts.output ?? 0
  const hangsUp = call.stream && random.chance(0.012)
  // Who hangs up has seen part of the answer; the provider has written, and bills, what it had by then.
  const written = hangsUp ? Math.max(1, Math.round(output * random.between(0.1, 0.7))) : output
  const counts = hangsUp ? cutShort(call.counts, written) : call.counts
  return {
    ...describe(call, random),
    counts,
    usage: 'provider',
    costNanos: costNanos(model.price, counts, call.tier),
    status: hangsUp ? 499 : 200,
    outcome: hangsUp ? 'aborted' : findings.some((name) => redacting.includes(name)) ? 'redacted' : 'ok',
    latencyMs: firstMs + Math.round((written / model.tokensPerSecond) * 1_000),
    firstTokenMs: call.stream ? firstMs : null,
    findings,
  }
}

/** A call that is never sent costs nothing. */
export function refuse(
  call: PlannedCall,
  { findings, status, random }: { findings: readonly PolicyName[]; status: number; random: Random },
): DemoCall {
  const latencyMs = random.whole(3, 30)
  return {
    ...describe(call, random),
    ...unused,
    status,
    outcome: 'blocked',
    latencyMs,
    firstTokenMs: null,
    findings,
  }
}

export const unused = { counts: {}, usage: 'counted', costNanos: 0 } as const

/** The same call, at a moment when there was no money left for it. */
export const refuseForMoney = (call: DemoCall): DemoCall => ({
  ...call,
  ...unused,
  status: 402,
  outcome: 'blocked',
  tier: null,
  latencyMs: 4,
  firstTokenMs: null,
  findings: [],
  isOverBudget: true,
})

/** The process that held this call died: it is recorded at what was reserved for it. */
export function interrupt(call: DemoCall, model: DemoModel): DemoCall {
  const counts: Counts = { input: call.counts.input ?? 0, output: 4_096 }
  return {
    ...call,
    counts,
    usage: 'reserved',
    costNanos: costNanos(model.price, counts, call.tier),
    status: 500,
    outcome: 'interrupted',
    latencyMs: null,
    firstTokenMs: null,
  }
}

function describe(call: PlannedCall, random: Random) {
  const { atMs, model, stream, tier, session, agent, project } = call
  const { key } = call.caller
  return {
    atMs,
    key: key.name,
    userId: key.userId,
    team: key.team,
    provider: model.provider,
    model: model.name,
    // Some write the provider too; it is the same model.
    asked: random.chance(0.05) ? `${model.provider}/${model.name}` : model.name,
    stream,
    tier,
    priceHash: model.priceHash,
    session,
    agent,
    route: null,
    isCached: false,
    attempt: 1,
    first: null,
    tags: { ...key.metadata, project },
    isOverBudget: false,
    tool: null,
  }
}

function moveTo(call: PlannedCall, model: DemoModel): PlannedCall {
  const { input = 0, output = 0 } = call.counts
  // Another provider has none of it in its cache, nor its tiers.
  return { ...call, model, tier: null, counts: { input, output } }
}

const blocking = new Set<PolicyName>([
  'No credentials',
  'Unannounced names',
  'No large models in support',
  'No shell for assistants',
])
const redacting: readonly PolicyName[] = ['No personal data', 'Customer numbers']

function findIn({ caller, counts, isTyped, model, session }: PlannedCall, random: Random): PolicyName[] {
  const { team, userId } = caller.key
  const findings: PolicyName[] = []
  if (team === 'Support' && model.name === 'claude-opus-5-5') findings.push('No large models in support')
  if (isTyped) {
    if (random.chance(team === 'Support' ? 0.05 : team === 'Finance' ? 0.03 : 0.003))
      findings.push('No personal data')
    if (userId !== null && caller.habit === 'developer' && random.chance(0.012))
      findings.push('No credentials')
    if (team === 'Marketing' && random.chance(0.03)) findings.push('Unannounced names')
  }
  if ((counts.input ?? 0) > longInputTokens) findings.push('Very long inputs')
  if (team === 'Support' && random.chance(0.02)) findings.push('Customer numbers')
  if (team === 'Mobile' && random.chance(caller.habit === 'developer' ? 0.008 : 0.001))
    findings.push('No shell for assistants')
  if (caller.habit === 'agent' && session !== null) findings.push('Night shifts')
  return findings
}

function cutShort(counts: Counts, output: number): Counts {
  const { reasoning, ...rest } = counts
  return { ...rest, output, ...(reasoning !== undefined && { reasoning: Math.min(reasoning, output) }) }
}

function rareFailure(random: Random) {
  return random.chance(0.003)
    ? { status: random.pick([500, 502, 503]), latencyMs: random.whole(200, 3_000) }
    : null
}

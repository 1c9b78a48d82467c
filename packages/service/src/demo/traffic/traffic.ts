import type { Price } from '@tallystick/record/pricing'
import {
  assistantKey,
  type Caller,
  type DemoKey,
  type DemoPerson,
  type DemoTeam,
  describeCompany,
  runawayKey,
  timeZones,
} from '../company/company.js'
import { type DemoModels, readDemoModels } from '../company/models.js'
import { type DemoPolicy, policies } from '../company/policies.js'
import { type DemoBudget, planBudgets, poolFor } from './budgets.js'
import { createTimes, type DrawTime, readHours, type TimeSpan } from './hours.js'
import { type Incident, planIncident } from './incident.js'
import { planCalls } from './plan-calls.js'
import { createRandom, type Random } from './random.js'
import { planRunaway, type Runaway } from './runaway.js'
import { type DemoCall, interrupt, refuseForMoney, settleWithRetries } from './settle-calls.js'
import { drawToolCalls, toolPrices } from './tool-calls.js'

/** Calls that a rate limit refused: they leave no receipt, and are counted. */
export interface RateLimitedCalls
  extends Pick<DemoCall, 'atMs' | 'key' | 'userId' | 'team' | 'provider' | 'model' | 'session' | 'tags'> {
  calls: number
}

export interface TrafficOptions {
  /** The same number gives the same traffic. */
  seed: number
  /** The last call is before it. */
  end: Date
  days: number
  /** Of models. Those of tools come on top. */
  calls: number
}

/** The traffic of a fictitious company during a span of time. */
export interface Traffic {
  seed: number
  span: TimeSpan
  models: DemoModels
  /** Of calls of tools. */
  toolPrices: readonly Price[]
  teams: readonly (DemoTeam & { budgetPoolUsd: number })[]
  people: readonly DemoPerson[]
  keys: readonly DemoKey[]
  budgets: readonly DemoBudget[]
  policies: readonly DemoPolicy[]
  /** Oldest first. */
  calls: readonly DemoCall[]
  rateLimited: readonly RateLimitedCalls[]
  incident: Pick<Incident, 'provider' | 'fromMs' | 'toMs'> | null
  runaway: Pick<Runaway, 'key' | 'session' | 'fromMs' | 'amountNanos'> | null
}

const day = 86_400_000
/** For each call of a model, so many of tools. */
const toolShare = 0.12

/** Generates traffic. The same options always give the same traffic, because all random choices depend on the seed. */
export function generateTraffic({ seed, end, days, calls: count }: TrafficOptions): Traffic {
  const span = { fromMs: end.getTime() - days * day, toMs: end.getTime() }
  const models = readDemoModels()
  const { teams, people, callers } = describeCompany()
  const incident = planIncident(span)
  const runaway = planRunawayOf(callers, { span, models, seed, count })
  const calls = [...(runaway?.calls ?? []), ...drawRush(callers, { models, incident, seed, count })]

  const hours = new Map(timeZones.map((timeZone) => [timeZone, readHours(span, timeZone)]))
  // The day on which it ran away is told already.
  const isTold = (key: DemoKey, atMs: number) =>
    runaway?.key === key.name && dayOf(atMs) === dayOf(runaway.fromMs)
  const times = callers.map(({ key, habit, timeZone }) => {
    const free = hours.get(timeZone)?.filter(({ fromMs }) => !isTold(key, fromMs))
    return createTimes(free ?? [], habit)
  })
  const weights = weightsOf(callers, seed).map((weight, i) => (times[i] === null ? 0 : weight))
  const quotas = shareOut(weights, Math.max(0, count - calls.length))
  const rateLimited: RateLimitedCalls[] = []
  for (const [i, caller] of callers.entries()) {
    const drawTime = times[i]
    if (!drawTime) continue
    const drawn = drawCalls(caller, quotas[i] ?? 0, {
      drawTime,
      models,
      incident,
      random: createRandom(seed, caller.key.name),
      isFree: (atMs) => atMs < span.toMs && !isTold(caller.key, atMs),
    })
    calls.push(...drawn.calls)
    rateLimited.push(...drawn.rateLimited)
  }
  calls.push(...drawToolCalls(calls, Math.round(count * toolShare), span, createRandom(seed, 'tools')))
  calls.sort((a, b) => a.atMs - b.atMs)
  crash(calls, models, span)
  if (runaway) holdToBudget(calls, runaway)
  return {
    seed,
    span,
    models,
    toolPrices,
    teams: teams.map((team) => ({ ...team, budgetPoolUsd: poolFor(calls, team.name) })),
    people,
    keys: callers.map(({ key }) => key),
    budgets: planBudgets(calls, runaway),
    policies,
    calls,
    rateLimited: rateLimited.sort((a, b) => a.atMs - b.atMs),
    incident: incident && { provider: incident.provider, fromMs: incident.fromMs, toMs: incident.toMs },
    runaway: runaway && describeRunaway(runaway),
  }
}

/** The budget that stops the runaway holds on its other days, too: they cost little, but it may be small. */
function holdToBudget(calls: DemoCall[], { key, amountNanos }: Runaway): void {
  const spentOn = new Map<number, number>()
  for (const [i, call] of calls.entries()) {
    if (call.key !== key) continue
    const today = dayOf(call.atMs)
    const spent = (spentOn.get(today) ?? 0) + call.costNanos
    if (spent > amountNanos) calls[i] = refuseForMoney(call)
    else spentOn.set(today, spent)
  }
}

const describeRunaway = ({ key, session, fromMs, amountNanos }: Runaway) => ({
  key,
  session,
  fromMs,
  amountNanos,
})

/** Some people do far more than others. */
function weightsOf(callers: readonly Caller[], seed: number): number[] {
  const random = createRandom(seed, 'weights')
  return callers.map(({ key, weight }) => weight * (key.userId === null ? 1 : random.spread(0.9, 0.7)))
}

function planRunawayOf(
  callers: readonly Caller[],
  { span, models, seed, count }: { span: TimeSpan; models: DemoModels; seed: number; count: number },
): Runaway | null {
  const caller = callers.find(({ key }) => key.name === runawayKey)
  if (!caller) return null
  const steps = Math.min(160, Math.max(20, Math.round(count / 100)))
  return planRunaway({ span, caller, models, random: createRandom(seed, 'runaway'), steps })
}

/** Customers who get no answer ask again: during the incident the assistant has more to do than on other days. */
function drawRush(
  callers: readonly Caller[],
  { models, incident, seed, count }: Pick<Scene, 'models' | 'incident'> & { seed: number; count: number },
): DemoCall[] {
  const caller = callers.find(({ key }) => key.name === assistantKey)
  if (!caller || !incident) return []
  const random = createRandom(seed, 'rush')
  const sessions = Math.max(4, Math.round(count / 600))
  return Array.from({ length: sessions }, () => {
    const atMs = Math.floor(random.between(incident.fromMs, incident.toMs - 120_000))
    const [first] = planCalls({ atMs, caller, models, random })
    return first ? settleWithRetries(first, { models, incident, random }) : []
  }).flat()
}

interface Scene {
  drawTime: DrawTime
  isFree(atMs: number): boolean
  models: DemoModels
  incident: Incident | null
  random: Random
}

/** Sessions of a caller at its usual times, until its share of the calls is made. */
function drawCalls(
  caller: Caller,
  quota: number,
  { drawTime, isFree, models, incident, random }: Scene,
): { calls: DemoCall[]; rateLimited: RateLimitedCalls[] } {
  const calls: DemoCall[] = []
  const rateLimited: RateLimitedCalls[] = []
  while (calls.length < quota) {
    const atMs = drawTime(random)
    const planned = planCalls({ atMs, caller, models, random }).filter((call) => isFree(call.atMs))
    const settled = planned.flatMap((call) => settleWithRetries(call, { models, incident, random }))
    calls.push(...settled.filter(({ atMs }) => isFree(atMs)).slice(0, quota - calls.length))
    const last = calls.at(-1)
    const isHurried = planned.length > 10 && caller.key.rpmLimit !== null
    if (last && isHurried && random.chance(0.12)) {
      const { key, userId, team, provider, model, session, tags } = last
      const refused = { atMs: last.atMs, key, userId, team, provider, model, session, tags }
      rateLimited.push({ ...refused, calls: random.whole(3, 25) })
    }
  }
  return { calls, rateLimited }
}

const dayOf = (ms: number): number => Math.floor(ms / day)

/** Whole numbers in proportion to the weights, whose sum is the total. */
function shareOut(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  let given = 0
  let passed = 0
  return weights.map((weight) => {
    passed += weight
    const upTo = Math.round((total * passed) / sum)
    const share = upTo - given
    given = upTo
    return share
  })
}

/** Once, the process died in the middle of three calls. */
function crash(calls: DemoCall[], models: DemoModels, { fromMs, toMs }: TimeSpan): void {
  const atMs = fromMs + (toMs - fromMs) * 0.31
  const found = calls.flatMap((call, i) =>
    call.atMs >= atMs && call.outcome === 'ok' && call.stream ? [i] : [],
  )
  for (const i of found.slice(0, 3)) {
    const call = calls[i]
    const model = Object.values(models).find(({ name }) => name === call?.model)
    if (call && model && call.key !== runawayKey) calls[i] = interrupt(call, model)
  }
}

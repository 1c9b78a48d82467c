import type { Counts } from '@tallystick/record/pricing'
import type { Caller } from '../company/company.js'
import type { DemoModel, DemoModels } from '../company/models.js'
import type { Random } from './random.js'

/** A call as planned, before errors and retries. */
export interface PlannedCall {
  atMs: number
  caller: Caller
  model: DemoModel
  stream: boolean
  counts: Counts
  /** The service tier; null for the standard one. */
  tier: string | null
  session: string | null
  /** The coding agent that makes it; null for any other program. */
  agent: string | null
  project: string
  /** Text that a person wrote, which a policy may find something in. */
  isTyped: boolean
}

interface Start {
  atMs: number
  caller: Caller
  models: DemoModels
  random: Random
  project: string
}

const second = 1_000

/** Plans what a caller does from a moment on: one call, or the calls of a session. */
export function planCalls(from: Omit<Start, 'project'>): PlannedCall[] {
  const { caller, random } = from
  // People help other teams out now and then, and say so in a tag.
  const helps = caller.key.userId !== null && random.chance(0.08)
  const project = helps ? random.pick(['heron', 'kestrel', 'osprey']) : (caller.key.metadata.project ?? '')
  const start = { ...from, project }
  switch (caller.habit) {
    case 'developer':
      return random.chance(0.3) ? planAgent(start, random.whole(12, 70)) : planChat(start, random.whole(1, 6))
    case 'office':
      return planChat(start, random.whole(1, 7))
    case 'assistant':
      return planChat(start, random.whole(1, 4))
    case 'backend':
      return [planBackend(start)]
    case 'index':
      return planIndex(start)
    case 'review':
    case 'agent':
      return planAgent(start, random.whole(4, 14))
    case 'evaluation':
      return planEvaluation(start)
  }
}

/** Plans a conversation. Each turn repeats the earlier ones, mostly from the provider's cache. */
function planChat(start: Start, turns: number): PlannedCall[] {
  const { random } = start
  const model = chooseModel(start)
  const session = newSession(random)
  const calls: PlannedCall[] = []
  let held = Math.round(random.spread(600, 0.8))
  let atMs = start.atMs
  for (let turn = 0; turn < turns; turn++) {
    const said = Math.round(random.spread(90, 0.9))
    const output = Math.round(random.spread(320, 0.7))
    const cached = turn > 0 && held > 1_024 ? held : 0
    calls.push({
      ...baseOf(start, { atMs, model, session }),
      stream: true,
      isTyped: true,
      counts: countsOf(model, { input: held + said, cached, output }),
    })
    held += said + output
    atMs += Math.round(random.spread(45, 0.6) * second)
  }
  return calls
}

/** Plans a run of a coding agent: many calls in a row, with a growing context that is nearly all cached. */
export function planAgent(start: Start, steps: number): PlannedCall[] {
  const { random } = start
  const model = chooseModel(start)
  const session = newSession(random)
  const calls: PlannedCall[] = []
  let held = 0
  let atMs = start.atMs
  for (let step = 0; step < steps; step++) {
    const read = step === 0 ? Math.round(random.spread(14_000, 0.3)) : Math.round(random.spread(1_600, 0.9))
    const output = Math.round(random.spread(380, 0.8))
    calls.push({
      ...baseOf(start, { atMs, model, session }),
      agent: agentsOf[model.provider],
      stream: true,
      isTyped: step === 0,
      counts: countsOf(model, { input: held + read, cached: held, output }),
    })
    held += read + output
    atMs += Math.round(random.spread(14, 0.6) * second)
  }
  return calls
}

/** One question of a program: short, no stream. Some of those that may wait do so for less money. */
function planBackend(start: Start): PlannedCall {
  const { atMs, caller, random } = start
  const model = chooseModel(start)
  const counts = {
    input: Math.round(random.spread(1_800, 0.7)),
    cached: 0,
    output: Math.round(random.spread(140, 0.6)),
  }
  const mayWait = caller.key.team === 'Finance' && random.chance(0.5)
  return {
    ...baseOf(start, { atMs, model, session: null }),
    stream: false,
    isTyped: true,
    tier: mayWait ? 'flex' : null,
    counts: countsOf(model, counts),
  }
}

/** A run over documents. */
function planIndex(start: Start): PlannedCall[] {
  const { random } = start
  const model = chooseModel(start)
  return Array.from({ length: random.whole(30, 90) }, (_, i) => ({
    ...baseOf(start, { atMs: start.atMs + i * random.whole(700, 1_900), model, session: null }),
    stream: false,
    isTyped: false,
    counts: { input: Math.round(random.spread(3_200, 0.5)) },
  }))
}

/** The same questions to several models, many at a time. */
function planEvaluation(start: Start): PlannedCall[] {
  const { random, caller, models } = start
  const session = `eval-${random.whole(1_000, 9_999)}`
  const question = Math.round(random.spread(900, 0.4))
  return Array.from({ length: random.whole(6, 14) }, (_, i) => i).flatMap((i) =>
    caller.models.map(([name]) => ({
      ...baseOf(start, { atMs: start.atMs + i * 2_400 + random.whole(0, 900), model: models[name], session }),
      stream: false,
      isTyped: false,
      counts: countsOf(models[name], {
        input: question,
        cached: 0,
        output: Math.round(random.spread(450, 0.5)),
      }),
    })),
  )
}

const chooseModel = ({ caller, models, random }: Start): DemoModel => models[random.choose(caller.models)]

function baseOf({ caller, project }: Start, call: Pick<PlannedCall, 'atMs' | 'model' | 'session'>) {
  return { ...call, caller, tier: null, agent: null, project }
}

const agentsOf: Record<DemoModel['provider'], string> = {
  anthropic: 'claude-code',
  openai: 'codex',
  google: 'opencode',
}

/** Each provider counts in its own way: writing to the cache is a kind of its own at one, reasoning at the others. */
function countsOf(
  { provider }: DemoModel,
  { input, cached, output }: { input: number; cached: number; output: number },
): Counts {
  const held = Math.min(cached, input)
  const counts: Counts = { input, output, ...(held > 0 && { cached: held }) }
  if (provider === 'anthropic') {
    const written = input - held
    return written > 1_024 ? { ...counts, written } : counts
  }
  const reasoning = Math.round(output * 0.3)
  return reasoning > 0 ? { ...counts, reasoning } : counts
}

/** As coding agents and chat clients send it: a UUID. */
function newSession(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16))
  digits[12] = '4'
  digits[16] = random.pick(['8', '9', 'a', 'b'])
  const text = digits.join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  )
}

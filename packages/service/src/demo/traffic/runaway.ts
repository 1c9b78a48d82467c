import type { Caller } from '../company/company.js'
import type { DemoModels } from '../company/models.js'
import type { TimeSpan } from './hours.js'
import { chooseMoment } from './incident.js'
import { planAgent } from './plan-calls.js'
import type { Random } from './random.js'
import { type DemoCall, refuse, settleCall } from './settle-calls.js'

/** An agent that loops one night, until its daily budget is spent. */
export interface Runaway {
  key: string
  session: string
  fromMs: number
  /** The daily budget that stops it. */
  amountNanos: number
  calls: readonly DemoCall[]
}

const nanosPerCent = 10_000_000
/** After the budget is spent it asks again and again, and then gives up. */
const refusals = 9

export function planRunaway(options: {
  span: TimeSpan
  caller: Caller
  models: DemoModels
  random: Random
  /** How many calls it makes before it is stopped. */
  steps: number
}): Runaway | null {
  const { span, caller, models, random, steps } = options
  const fromMs = chooseMoment(span, { minutes: 90, weekdaysOnly: false, daysBeforeEnd: 2 })
  if (fromMs === null) return null
  const project = caller.key.metadata.project ?? ''
  const planned = planAgent({ atMs: fromMs, caller, models, random, project }, steps + refusals)
  const answered = planned
    .slice(0, steps)
    .map((call) => settleCall({ ...call, isTyped: false }, { models, incident: null, random }))
  const spent = answered.reduce((sum, call) => sum + call.costNanos, 0)
  const refused = planned.slice(steps).map((call) => ({
    ...refuse(call, { findings: [], status: 402, random }),
    isOverBudget: true,
  }))
  const [first] = planned
  return {
    key: caller.key.name,
    session: first?.session ?? '',
    fromMs,
    // What is left is less than the next call can cost.
    amountNanos: Math.ceil(spent / nanosPerCent) * nanosPerCent,
    calls: [...answered, ...refused],
  }
}

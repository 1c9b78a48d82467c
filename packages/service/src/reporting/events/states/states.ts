import { type Changes, type Db, startPeriodic } from '../../../db/index.js'
import { forMember, type ReadReserved } from '../../../resources/budgets/index.js'
import type { EventStream } from '../event-stream.js'
import { writeEvent } from '../event-text.js'
import type { Feed, Feeds } from '../feeds.js'
import type { BudgetEvent } from '../schema.js'
import type { EventType } from '../view.js'
import { createAlertChecks } from './alert-checks.js'
import { readBudgetStates, SentBudgetStates } from './budget-states.js'
import type { VisibleBudgets } from './visible-budgets.js'

/** The unordered states: those of budgets and of providers. Also records the alerts that follow from them. */
export interface States {
  /** Sends the states that a stream starts with. */
  sendSnapshot(feed: Feed, stream: EventStream): Promise<void>
  close(): Promise<void>
}

const everyMs = 2_000

export function startStates(options: {
  db: Db
  changes: Changes
  feeds: Feeds
  visibleBudgets: VisibleBudgets
  readReserved: ReadReserved
  now(): Date
  onError(error: unknown): void
}): States {
  const { db, feeds, visibleBudgets, readReserved, onError } = options
  const alertChecks = createAlertChecks(options)
  let isUnavailable = false

  const wants = (feed: Feed, type: EventType) => [...feed.streams].some(({ view }) => view.types.has(type))

  async function run(): Promise<void> {
    try {
      await alertChecks.run([...feeds.all.values()].filter((feed) => wants(feed, 'alert')))
      for (const feed of feeds.all.values()) sendHealth(feed)
      for (const feed of feeds.all.values()) if (wants(feed, 'budget')) await sendBudgetStates(feed)
      isUnavailable = false
    } catch (error) {
      if (!isUnavailable) onError(error)
      isUnavailable = true
    }
  }

  async function visibleIn(
    { tenantId }: Feed,
    { view: { owner } }: EventStream,
    budgets: readonly BudgetEvent[],
  ): Promise<BudgetEvent[]> {
    const visible = budgets.filter(await visibleBudgets.isVisible(tenantId, owner))
    return owner === null ? visible : visible.map(forMember)
  }

  async function sendBudgetStates(feed: Feed): Promise<void> {
    const budgets = await readBudgetStates(db, feed.tenantId, readReserved)
    const changed = feed.sentBudgets.changes(budgets)
    if (changed.length === 0) return
    for (const stream of feed.streams) {
      if (!stream.hasSnapshot || !stream.view.types.has('budget')) continue
      writeAll(stream, 'budget', await visibleIn(feed, stream, changed))
    }
  }

  /**
   * Without Redis the reserved amounts are unknown. Everything else is still sent, and the budget states follow to
   * all streams once they are known.
   */
  async function sendBudgetStatesTo(feed: Feed, stream: EventStream): Promise<void> {
    try {
      const { sentBudgets } = feed
      let asOf: number
      let budgets: BudgetEvent[]
      // Changes that are sent to the others during this read are not sent to this stream.
      do {
        asOf = sentBudgets.version
        budgets = await readBudgetStates(db, feed.tenantId, readReserved)
      } while (asOf !== sentBudgets.version)
      // Later changes are relative to this state, for this stream and the earlier ones.
      if (feed.streams.size === 1) sentBudgets.changes(budgets)
      writeAll(stream, 'budget', await visibleIn(feed, stream, budgets))
      stream.hasSnapshot = true
    } catch (error) {
      feed.sentBudgets = new SentBudgetStates()
      onError(error)
    }
  }

  function sendHealth(feed: Feed): void {
    const changed = feed.health.changes(Date.now())
    if (changed.length === 0) return
    for (const stream of feed.streams)
      if (stream.hasSnapshot && stream.view.types.has('provider')) writeAll(stream, 'provider', changed)
  }

  const { resume, close } = startPeriodic({ run, everyMs, isIdle: () => feeds.all.size === 0, onError })
  return {
    async sendSnapshot(feed, stream) {
      resume()
      const { types } = stream.view
      if (types.has('budget')) await sendBudgetStatesTo(feed, stream)
      if (types.has('provider')) writeAll(stream, 'provider', feed.health.read(Date.now()))
      stream.hasSnapshot = true
    },
    close,
  }
}

function writeAll(stream: EventStream, type: 'budget' | 'provider', states: readonly object[]): void {
  if (states.length > 0) stream.write(states.map((state) => writeEvent(type, state)).join(''))
}

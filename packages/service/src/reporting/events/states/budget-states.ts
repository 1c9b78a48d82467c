import type { Db } from '../../../db/index.js'
import {
  type Budget,
  listBudgets,
  presentBudgets,
  type ReadReserved,
} from '../../../resources/budgets/index.js'
import type { BudgetEvent } from '../schema.js'

/** The newest ones. Further ones are listed by `GET /v1/budgets` and reported by alerts. */
export const maxBudgets = 500

/** Returns the current state of each budget of a tenant. */
export async function readBudgetStates(
  db: Db,
  tenantId: string,
  readReserved: ReadReserved,
): Promise<BudgetEvent[]> {
  const rows = await listBudgets(db, tenantId, { own: null, after: null, limit: maxBudgets })
  const budgets = await presentBudgets(db, tenantId, rows, readReserved)
  return budgets.map(toEvent)
}

function toEvent({ createdAt: _, updatedAt: __, ...budget }: Budget): BudgetEvent {
  return { ...budget, share: shareOf(budget.spentUsd, budget), deleted: false }
}

/** A budget of zero is exhausted from the start. */
function shareOf(usd: number, { amountUsd, grantedUsd }: Pick<Budget, 'amountUsd' | 'grantedUsd'>): number {
  const limit = amountUsd + grantedUsd
  return limit === 0 ? 1 : Math.round((usd / limit) * 10_000) / 10_000
}

/** The budget states that were last sent for a tenant, so that only visible changes are sent again. */
export class SentBudgetStates {
  // Bounded: 500 budgets of a tenant with open streams.
  #sent = new Map<string, BudgetEvent>()
  #version = 0

  /** Changes whenever something was sent. */
  get version(): number {
    return this.#version
  }

  /** Returns the budgets that visibly differ from what was last sent, and those that are gone. */
  changes(budgets: readonly BudgetEvent[]): BudgetEvent[] {
    const now = new Map(budgets.map((each) => [each.id, each]))
    const changed = budgets.filter((each) => {
      const before = this.#sent.get(each.id)
      return before === undefined || visibleState(before) !== visibleState(each)
    })
    const gone = [...this.#sent.values()]
      .filter(({ id }) => !now.has(id))
      .map((each) => ({ ...each, deleted: true }))
    for (const { id } of gone) this.#sent.delete(id)
    for (const each of changed) this.#sent.set(each.id, each)
    if (changed.length + gone.length > 0) this.#version += 1
    return [...changed, ...gone]
  }
}

/**
 * Compares whole percents of what is spent, reserved and forecast: a call of a thousandth changes nothing visible,
 * nor does a second of the forecast.
 */
function visibleState(budget: BudgetEvent): string {
  const { spentUsd, reservedUsd, forecastUsd, remainingUsd: _, share: __, ...settings } = budget
  const percent = (usd: number) => Math.floor(shareOf(usd, budget) * 100)
  const forecast = forecastUsd === null ? null : percent(forecastUsd)
  return JSON.stringify([settings, percent(spentUsd), percent(spentUsd + reservedUsd), forecast])
}

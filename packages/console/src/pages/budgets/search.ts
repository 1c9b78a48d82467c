/** What the address says of the page of budgets. */
export interface BudgetsSearch {
  /** The budget that is open at the side. */
  budget?: string
  filter?: string
  /** The form for a new budget is open. */
  create?: boolean
  /** The requests that are listed; those that wait come first in any case. */
  requests?: 'all'
}

export const readBudgetsSearch = (search: Record<string, unknown>): BudgetsSearch => ({
  ...(typeof search.budget === 'string' && { budget: search.budget }),
  ...(typeof search.filter === 'string' && search.filter !== '' && { filter: search.filter }),
  ...(search.create === true && { create: true }),
  ...(search.requests === 'all' && { requests: 'all' }),
})

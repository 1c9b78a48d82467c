/** The search parameters of the budgets page. */
export interface BudgetsSearch {
  /** The ID of the budget in the side panel. */
  budget?: string
  filter?: string
  /** Opens the form for a new budget. */
  create?: boolean
  /** Also lists decided requests. */
  requests?: 'all'
}

export const readBudgetsSearch = (search: Record<string, unknown>): BudgetsSearch => ({
  ...(typeof search.budget === 'string' && { budget: search.budget }),
  ...(typeof search.filter === 'string' && search.filter !== '' && { filter: search.filter }),
  ...(search.create === true && { create: true }),
  ...(search.requests === 'all' && { requests: 'all' }),
})

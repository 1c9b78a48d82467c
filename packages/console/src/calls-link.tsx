import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from './components'
import type { CallsSearch } from './pages/calls/search'

/** Selects the calls that a number sums up. */
export interface CallSelection {
  from: Date
  /** Exclusive. */
  to: Date
  filter?: Omit<CallsSearch, 'call'>
}

/** The search parameters of the calls page for a selection. */
export const toCallsSearch = ({ from, to, filter }: CallSelection) => ({
  ...filter,
  range: undefined,
  from: from.toISOString(),
  to: to.toISOString(),
})

/** A number that links to the calls that it sums up. It is underlined only on hover. */
export function CallsLink({
  calls,
  className,
  title,
  children,
}: {
  calls: CallSelection
  className?: string
  title?: string
  children: ReactNode
}) {
  return (
    <Link
      to="/calls"
      search={toCallsSearch(calls)}
      title={title}
      className={cx(
        'text-inherit no-underline decoration-rule-2 underline-offset-4 hover:underline',
        className,
      )}
    >
      {children}
    </Link>
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from './components'
import type { CallsSearch } from './pages/calls/search'

/** Selects the calls that a number sums up. */
export interface CallsOf {
  from: Date
  /** Exclusive. */
  to: Date
  filter?: Omit<CallsSearch, 'call'>
}

/** The search parameters of the calls page for a selection. */
export const callsSearch = ({ from, to, filter }: CallsOf) => ({
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
  calls: CallsOf
  className?: string
  title?: string
  children: ReactNode
}) {
  return (
    <Link
      to="/calls"
      search={callsSearch(calls)}
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

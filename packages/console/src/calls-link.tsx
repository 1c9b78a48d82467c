import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from './components'
import type { CallsSearch } from './pages/calls/search'

/** Which calls a number is the sum of. */
export interface CallsOf {
  from: Date
  /** Not part of it. */
  to: Date
  filter?: Omit<CallsSearch, 'call'>
}

/** What the address of the list of calls says for them. */
export const callsSearch = ({ from, to, filter }: CallsOf) => ({
  ...filter,
  range: undefined,
  from: from.toISOString(),
  to: to.toISOString(),
})

/** A number that leads to the calls that sum to it. It looks like the number; the line below comes with the pointer. */
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

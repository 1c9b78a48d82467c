import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../api'
import { Button, buttonClass, EmptyState } from '../../components'
import { plural } from '../../format'
import type { Span } from '../../time/span'
import { filtersOf, formatFilterValue, kindOf, removeFilter, withoutFilters } from './filters/kinds'
import { type CallsSearch, filterQuery } from './search'

export interface EmptyCallsProps {
  search: CallsSearch
  span: Span
  onChange(search: CallsSearch): void
  back: (() => void) | undefined
}

/** Explains why the list is empty and what to do next. */
export function EmptyCalls({ search, span, onChange, back }: EmptyCallsProps) {
  const filters = filtersOf(search)
  // Counts the calls without each filter, to show which one excludes them.
  const answers = useQueries({
    queries: filters.map((filter) =>
      apiQuery('/v1/calls/density', {
        params: {
          query: {
            ...filterQuery(removeFilter(search, filter)),
            from: span.from.toISOString(),
            to: span.to.toISOString(),
            buckets: 1,
          },
        },
      }),
    ),
  })
  if (filters.length === 0)
    return (
      <EmptyState
        title="No calls in this time range"
        action={
          <div className="flex gap-2">
            {back && <Button onClick={back}>Clear the time range</Button>}
            <Link to="/keys" className={buttonClass(back ? 'quiet' : 'plain')}>
              Create a key and make a call
            </Link>
          </div>
        }
      >
        Every call through the gateway appears here as soon as it ends. Choose a longer time range, or make a
        call.
      </EmptyState>
    )
  const without = filters
    .map((filter, n) => ({ filter, calls: answers[n]?.data?.total ?? 0 }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls)
  return (
    <EmptyState
      title={filters.length === 1 ? 'No calls match this filter' : 'No calls match these filters'}
      action={
        <div className="flex flex-wrap gap-2">
          {filters.length > 1 &&
            without.map(({ filter, calls }) => (
              <Button
                key={`${filter.name} ${filter.value}`}
                onClick={() => onChange(removeFilter(search, filter))}
              >
                Without {kindOf(filter.name).label.toLowerCase()} {formatFilterValue(filter, null)}:{' '}
                {plural(calls, 'call')}
              </Button>
            ))}
          <Button
            kind={without.length > 1 ? 'quiet' : 'plain'}
            onClick={() => onChange(withoutFilters(search))}
          >
            Clear filters{filters.length === 1 && without[0] ? `: ${plural(without[0].calls, 'call')}` : ''}
          </Button>
          {back && (
            <Button kind="quiet" onClick={back}>
              Clear the time range
            </Button>
          )}
        </div>
      }
    >
      {filters.length > 1 && without.length === 0
        ? 'Removing one filter is not enough. Clear the filters, or choose a longer time range.'
        : filters.length > 1
          ? 'A call must match all of them, within the chosen time range.'
          : 'Clear the filter, or choose a longer time range.'}
    </EmptyState>
  )
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { apiPages } from '../../api'
import { Button, EmptyState, ErrorState, Skeleton } from '../../components'
import { useSpan } from '../../time/use-span'
import type { AuditEntry } from './action-names'
import { EntryRow } from './entry-row'
import { Filters } from './filters'
import type { AuditSearch } from './search'

/** The audit log, newest first and grouped by day. */
export default function AuditPage() {
  const search: AuditSearch = useSearch({ from: '/app/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const { from, to, timeZone } = useSpan()
  const { entry: openId, userId, actorId, action, subjectId } = search
  const filter = { userId, actorId, action, subjectId }
  const list = useInfiniteQuery({
    ...apiPages('/v1/audit-log', {
      ...filter,
      from: from.toISOString(),
      to: to.toISOString(),
      limit: 100,
    }),
    placeholderData: keepPreviousData,
  })
  const setSearch = (change: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <Filters search={search} onSearch={(change) => setSearch({ ...change, entry: undefined })} />
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : !list.data ? (
        <AuditSkeleton />
      ) : list.data.length === 0 ? (
        <EmptyState
          title="No changes"
          action={
            isFiltered && (
              <Button
                size="sm"
                onClick={() =>
                  setSearch({
                    userId: undefined,
                    actorId: undefined,
                    action: undefined,
                    subjectId: undefined,
                  })
                }
              >
                Show every change
              </Button>
            )
          }
        >
          {isFiltered
            ? 'No changes match these filters.'
            : 'No changes in this time range. Every change through the API, this console or by the operator is listed here.'}
        </EmptyState>
      ) : (
        groupByDay(list.data, timeZone).map(({ day, entries }) => (
          <section key={day} className="mb-6">
            <h2 className="m-0 border-b border-rule-2 pb-1.5 text-xs font-medium text-ink-3">{day}</h2>
            <ul className="m-0 list-none p-0 text-sm">
              {entries.map((entry) => (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  isOpen={entry.id === openId}
                  onToggle={() => setSearch({ entry: entry.id === openId ? undefined : entry.id })}
                  onSearch={setSearch}
                />
              ))}
            </ul>
          </section>
        ))
      )}
      {list.hasNextPage && (
        <Button size="sm" onClick={() => void list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
          {list.isFetchingNextPage ? 'Loading …' : 'Show more'}
        </Button>
      )}
    </>
  )
}

const AuditSkeleton = () => (
  <div aria-busy className="flex flex-col">
    {Array.from({ length: 10 }, (_, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows are identical
      <div key={n} className="flex h-[37px] items-center gap-4 border-b border-rule">
        <Skeleton className="h-3.5 w-16" />
        <Skeleton className="h-3.5 w-72 max-w-[60%]" />
      </div>
    ))}
  </div>
)

/** Groups entries by day in the time zone and keeps their order. */
function groupByDay(
  entries: readonly AuditEntry[],
  timeZone: string,
): { day: string; entries: AuditEntry[] }[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  })
  const days: { day: string; entries: AuditEntry[] }[] = []
  for (const entry of entries) {
    const day = format.format(new Date(entry.at))
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}

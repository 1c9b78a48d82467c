import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
  type RowData,
  type SortingState,
  useReactTable,
} from '@tanstack/react-table'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { Button } from './button'
import { cx } from './class-names'
import { ErrorState, Skeleton } from './states'

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Right for numbers. */
    align?: 'right'
    /** Classes of the header and of each cell, for example a width. */
    className?: string
    /** Hidden on narrow screens. */
    wideOnly?: boolean
  }
}

export interface DataTableProps<Row> {
  /** The accessible name: what the rows are. */
  label: string
  // biome-ignore lint/suspicious/noExplicitAny: the library types columns with different values as any
  columns: readonly ColumnDef<Row, any>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  idOf(row: Row): string
  error?: unknown
  retry?: () => void
  /** Shown instead of the table if there are no rows. */
  empty: ReactNode
  onOpen?: (row: Row) => void
  /** The row whose panel is open. */
  openId?: string | null | undefined
  /** Whether a row is dimmed, such as a revoked key. */
  isDim?: (row: Row) => boolean
  /** Set only if all rows are loaded, because the page sorts what it has. */
  sortable?: boolean
  /** Loads the next page by a button. */
  more?: { hasMore: boolean; isLoading: boolean; load(): void }
  skeletonRows?: number
}

/** A table whose rows open on click or Enter; arrow keys move the focus between rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    idOf,
    error,
    retry,
    empty,
    onOpen,
    openId,
    isDim,
    sortable = false,
    more,
    skeletonRows = 6,
  } = props
  const [sorting, setSorting] = useState<SortingState>([])
  const table = useReactTable<Row>({
    data: (rows ?? none) as Row[],
    columns: columns as ColumnDef<Row, unknown>[],
    getRowId: idOf,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    enableSorting: sortable,
    sortDescFirst: true,
    state: { sorting },
    onSortingChange: setSorting,
  })
  if (error && rows === undefined) return <ErrorState error={error} {...(retry && { retry })} />
  if (rows?.length === 0) return <>{empty}</>
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} aria-busy={rows === undefined} className="w-full border-collapse text-sm">
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b border-rule-2">
              {group.headers.map(({ id, column, getContext }) => {
                const { align, className, wideOnly } = column.columnDef.meta ?? {}
                const sorted = column.getIsSorted()
                const header = flexRender(column.columnDef.header, getContext())
                return (
                  <th
                    key={id}
                    scope="col"
                    aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                    className={cx(
                      'h-8 px-2 text-left text-xs font-medium whitespace-nowrap text-ink-3 first:pl-0 last:pr-0',
                      align === 'right' && 'text-right',
                      wideOnly === true && 'max-md:hidden',
                      className,
                    )}
                  >
                    {column.getCanSort() ? (
                      <button
                        type="button"
                        onClick={column.getToggleSortingHandler()}
                        className="inline-flex items-center gap-1 font-medium hover:text-ink"
                      >
                        {header}
                        {sorted === 'asc' && <ChevronUp size={12} aria-hidden />}
                        {sorted === 'desc' && <ChevronDown size={12} aria-hidden />}
                      </button>
                    ) : (
                      header
                    )}
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody onKeyDown={onOpen && moveByArrows}>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are identical
                <tr key={row} className="border-b border-rule">
                  {columns.map((column, n) => (
                    <td
                      key={column.id ?? n}
                      className={cx(
                        'h-10 px-2 first:pl-0 last:pr-0',
                        column.meta?.wideOnly === true && 'max-md:hidden',
                      )}
                    >
                      <Skeleton
                        className={cx(
                          'h-3.5',
                          n === 0 ? 'w-32' : 'w-16',
                          column.meta?.align === 'right' && 'ml-auto',
                        )}
                      />
                    </td>
                  ))}
                </tr>
              ))
            : table.getRowModel().rows.map((row) => (
                <tr
                  key={row.id}
                  {...(onOpen && {
                    tabIndex: 0,
                    'aria-selected': openId === row.id,
                    onClick: (event) => isOnRow(event) && onOpen(row.original),
                    onKeyDown: (event: KeyboardEvent) =>
                      event.key === 'Enter' && event.target === event.currentTarget && onOpen(row.original),
                  })}
                  className={cx(
                    'border-b border-rule',
                    onOpen && 'cursor-pointer hover:bg-sunken focus-visible:-outline-offset-2',
                    openId === row.id && 'bg-accent-soft hover:bg-accent-soft',
                    isDim?.(row.original) === true && 'text-ink-3',
                  )}
                >
                  {row.getVisibleCells().map(({ id, column, getContext }) => {
                    const { align, className, wideOnly } = column.columnDef.meta ?? {}
                    return (
                      <td
                        key={id}
                        className={cx(
                          'h-10 px-2 py-1.5 first:pl-0 last:pr-0',
                          align === 'right' && 'text-right whitespace-nowrap',
                          wideOnly === true && 'max-md:hidden',
                          className,
                        )}
                      >
                        {flexRender(column.columnDef.cell, getContext())}
                      </td>
                    )
                  })}
                </tr>
              ))}
        </tbody>
      </table>
      {more?.hasMore === true && (
        <div className="py-3">
          <Button size="sm" onClick={more.load} isBusy={more.isLoading}>
            {more.isLoading ? 'Loading …' : 'Show more'}
          </Button>
        </div>
      )}
    </div>
  )
}

const none: readonly never[] = []

/** Ignores clicks on controls within a row, and those in menus of the row, which bubble here through a portal. */
const isOnRow = ({ target, currentTarget }: MouseEvent<HTMLElement>) =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('a, button, input, select, label') === null

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const row = event.target instanceof Element ? event.target.closest('tr') : null
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

import { Link } from '@tanstack/react-router'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { cx, Dot, SearchField } from '../../../components'
import { plural } from '../../../format'
import { isPending, toneOfTool } from '../states'
import type { Tool } from '../use-servers'

const filterFrom = 12

/** The tools by state, pending ones first. */
export function ToolList({ tools, chosen }: { tools: readonly Tool[]; chosen: string | undefined }) {
  const [filter, setFilter] = useState('')
  const matching = tools.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  const pending = tools.filter(isPending).length
  return (
    <div className="min-w-0">
      {tools.length >= filterFrom && (
        <div className="mb-2">
          <SearchField value={filter} onValue={setFilter} placeholder="Filter tools" />
        </div>
      )}
      <nav
        aria-label="Tools"
        className="max-h-[70dvh] overflow-y-auto max-lg:max-h-56 max-lg:border-b max-lg:border-rule"
      >
        {pending > 0 && filter === '' && (
          <Link
            to="/tools"
            search={({ tool: _, ...now }) => now}
            aria-current={chosen === undefined ? 'page' : undefined}
            className={cx(row, chosen === undefined ? chosenRow : otherRow, 'font-medium')}
          >
            All pending
            <span className="num ml-auto text-xs font-semibold text-warn">{pending}</span>
          </Link>
        )}
        {groups.map(({ name, has }) => {
          const found = matching.filter(has)
          if (found.length === 0) return null
          return (
            <div key={name} className="mt-3 first:mt-0">
              <p className="m-0 px-2 text-2xs font-medium text-ink-3">{name}</p>
              <ul aria-label={name} className="m-0 list-none p-0">
                {found.map((tool) => (
                  <li key={tool.name}>
                    <Link
                      to="/tools"
                      search={(now) => ({ ...now, tool: tool.name })}
                      aria-current={chosen === tool.name ? 'page' : undefined}
                      className={cx(row, chosen === tool.name ? chosenRow : otherRow)}
                    >
                      <Dot tone={tool.isGone ? 'neutral' : toneOfTool(tool.state)} />
                      <span className="mono min-w-0 truncate">{tool.name}</span>
                      {tool.flags.length > 0 && (
                        <span
                          className="ml-auto shrink-0 text-warn"
                          title={plural(tool.flags.length, 'flag')}
                        >
                          <Flag size={12} aria-hidden />
                          <span className="sr-only">flagged</span>
                        </span>
                      )}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
        {matching.length === 0 && <p className="m-0 px-2 text-sm text-ink-3">No tools match.</p>}
      </nav>
    </div>
  )
}

const row = 'flex h-8 items-center gap-2 rounded-md px-2 text-sm no-underline focus-visible:-outline-offset-2'
const chosenRow = 'bg-accent-soft text-ink'
const otherRow = 'text-ink-2 hover:bg-sunken hover:text-ink'

const groups: readonly { name: string; has(tool: Tool): boolean }[] = [
  { name: 'Changed', has: ({ state, isGone }) => state === 'changed' && !isGone },
  { name: 'New', has: ({ state, isGone }) => state === 'new' && !isGone },
  { name: 'Approved', has: ({ state, isGone }) => state === 'approved' && !isGone },
  { name: 'Blocked', has: ({ state, isGone }) => state === 'blocked' && !isGone },
  { name: 'No longer listed', has: ({ isGone }) => isGone },
]

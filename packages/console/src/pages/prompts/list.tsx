import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createColumnHelper } from '@tanstack/react-table'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { apiWholeList } from '../../api'
import { Button, DataTable, EmptyState, SearchField, Tag, Time, Toolbar } from '../../components'
import { useIsManager } from '../../session'
import { NewPrompt } from './new-prompt'
import type { PromptsSearch } from './search'
import type { Prompt } from './use-prompts'

const column = createColumnHelper<Prompt>()
const columns = [
  column.accessor('name', {
    header: 'Prompt',
    meta: { className: 'w-[40%]' },
    cell: ({ row: { original } }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium">{original.name}</span>
        {original.description !== '' && (
          <span className="block truncate text-xs text-ink-3 max-md:hidden">{original.description}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'labels',
    header: 'Labels',
    cell: ({ row }) => (
      <span className="flex flex-wrap gap-1">
        {Object.entries(row.original.labels).map(([label, { version }]) => (
          <Tag key={label} tone={label === 'production' ? 'accent' : 'neutral'}>
            {label} · {version}
          </Tag>
        ))}
        {Object.keys(row.original.labels).length === 0 && <span className="text-ink-3">none</span>}
      </span>
    ),
  }),
  column.accessor('createdAt', {
    header: 'Created',
    meta: { align: 'right', wideOnly: true },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
]

export function PromptList({ search }: { search: PromptsSearch }) {
  const navigate = useNavigate({ from: '/prompts' })
  const isManager = useIsManager()
  const [isCreating, setCreating] = useState(false)
  const { data, error, refetch } = useQuery(apiWholeList('/v1/prompts'))
  const filter = search.filter?.toLowerCase() ?? ''
  const shown = data?.filter(({ name, description }) =>
    [name, description].some((text) => text.toLowerCase().includes(filter)),
  )
  const make = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      New prompt
    </Button>
  )
  const open = (prompt: string) => void navigate({ search: (now) => ({ ...now, prompt }) })
  return (
    <>
      {data?.length !== 0 && (
        <Toolbar actions={make}>
          <SearchField
            value={search.filter ?? ''}
            onValue={(value) =>
              void navigate({ search: (now) => ({ ...now, filter: value || undefined }), replace: true })
            }
            placeholder="Filter prompts"
          />
        </Toolbar>
      )}
      <DataTable
        label="Prompts"
        columns={columns}
        rows={shown}
        idOf={({ id }) => id}
        error={error}
        retry={() => void refetch()}
        onOpen={({ id }) => open(id)}
        sortable
        empty={
          filter === '' ? (
            <EmptyState title="No prompts yet" action={make}>
              A prompt is a system message with versions and labels. Callers refer to it by a label; move the
              label to change later calls without a release.
            </EmptyState>
          ) : (
            <p className="text-sm text-ink-2">No prompts match “{search.filter}”.</p>
          )
        }
      />
      {isCreating && <NewPrompt onClose={() => setCreating(false)} onCreated={open} />}
    </>
  )
}

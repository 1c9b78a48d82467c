import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ColumnDef } from '@tanstack/react-table'
import { Download } from 'lucide-react'
import { api, askPages, type components, expectSuccess, Problem } from '../../api'
import { formatInteger } from '../../format'
import {
  Button,
  Count,
  DataTable,
  EmptyState,
  ErrorState,
  IconButton,
  Section,
  Skeleton,
  Snippet,
  Time,
} from '../../parts'
import { saveFile } from '../../parts/receipt-proof/save-file'

type Anchor = components['schemas']['Anchor']

const checkpointQuery = {
  queryKey: ['/v1/compliance/checkpoint'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<string | null> => {
    try {
      const options = { headers: { accept: 'text/plain' }, parseAs: 'text', signal } as const
      return await expectSuccess(api.GET('/v1/compliance/checkpoint', options))
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null
      throw error
    }
  },
}

/** The newest signature over the whole record. Whoever keeps it can show later that nothing before it was changed. */
export function Checkpoint() {
  const { data: note, error, refetch } = useQuery(checkpointQuery)
  const size = note?.split('\n')[1]
  return (
    <Section
      title="Newest checkpoint"
      note={size === undefined ? undefined : `over all ${formatInteger(Number(size))} entries`}
      aside={
        note && (
          <Button
            size="sm"
            icon={<Download size={13} aria-hidden />}
            onClick={() => saveFile(`checkpoint-${size}.txt`, new Blob([note], { type: 'text/plain' }))}
          >
            Save
          </Button>
        )
      }
    >
      {error !== null ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : note === undefined ? (
        <Skeleton className="h-32" />
      ) : note === null ? (
        <p className="m-0 text-sm text-ink-2">
          The record is empty. The first call is signed as it is recorded.
        </p>
      ) : (
        <>
          <Snippet code={note} />
          <p className="m-0 mt-2 max-w-prose text-xs text-ink-3">
            Keep one elsewhere. Chosen together with a later export, it shows whether an entry before it was
            changed, or the end is missing.
          </p>
        </>
      )}
    </Section>
  )
}

const columns: ColumnDef<Anchor>[] = [
  { id: 'day', header: 'Day, UTC', cell: ({ row }) => <span className="num">{row.original.day}</span> },
  {
    id: 'size',
    header: 'Entries',
    meta: { align: 'right' },
    cell: ({ row }) => <Count value={row.original.size} />,
  },
  { id: 'type', header: 'Kept by', cell: ({ row }) => keepers[row.original.type] },
  {
    id: 'at',
    header: 'Anchored',
    meta: { align: 'right', wideOnly: true },
    cell: ({ row }) => <Time at={row.original.anchoredAt} className="text-ink-3" />,
  },
  {
    id: 'save',
    header: '',
    meta: { align: 'right', className: 'w-8' },
    cell: ({ row: { original } }) => (
      <IconButton label={`Save the anchor of ${original.day}`} onClick={() => saveAnchor(original)}>
        <Download size={14} aria-hidden />
      </IconButton>
    ),
  },
]

const keepers: Record<Anchor['type'], string> = { file: 'a file', rfc3161: 'a time-stamp authority' }

function saveAnchor({ day, checkpoint, token }: Anchor): void {
  saveFile(`checkpoint-${day}.txt`, new Blob([checkpoint], { type: 'text/plain' }))
  if (token === null) return
  const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0))
  saveFile(`checkpoint-${day}.tst`, new Blob([bytes], { type: 'application/timestamp-reply' }))
}

/** Checkpoints that somebody else keeps. */
export function Anchors() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    askPages('/v1/compliance/anchors', { limit: 10 }),
  )
  return (
    <Section title="Anchors" note="checkpoints that somebody else keeps">
      <DataTable
        label="Anchors"
        columns={columns}
        rows={data}
        idOf={({ day, type }) => `${day} ${type}`}
        error={error}
        retry={() => void refetch()}
        skeletonRows={3}
        more={{ hasMore: hasNextPage, isLoading: isFetchingNextPage, load: () => void fetchNextPage() }}
        empty={
          <EmptyState title="No checkpoint is kept elsewhere">
            The record attests itself. The operator can have the last checkpoint of each day written to a file
            on another machine, or time-stamped by an authority: <code>anchor</code> in the configuration.
          </EmptyState>
        }
      />
    </Section>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { ColumnDef } from '@tanstack/react-table'
import Download from 'lucide-react/icons/download'
import { apiPages, type components } from '../../api'
import { Count, DataTable, EmptyState, IconButton, Id, Section, Time } from '../../components'
import { saveFile } from '../../components/receipt-proof/save-file'
import { formatInteger } from '../../format'

type Anchor = components['schemas']['Anchor']
type CheckpointRow = components['schemas']['Checkpoint']

const saveNote = (name: string, note: string) =>
  saveFile(`checkpoint-${name}.txt`, new Blob([note], { type: 'text/plain' }))

const checkpointColumns: ColumnDef<CheckpointRow>[] = [
  {
    id: 'size',
    header: 'Entries',
    meta: { align: 'right', className: 'w-24' },
    cell: ({ row }) => <Count value={row.original.size} />,
  },
  {
    id: 'root',
    header: 'Root',
    meta: { className: 'pl-6 whitespace-nowrap' },
    cell: ({ row }) => <Id id={row.original.root} />,
  },
  {
    id: 'key',
    header: 'Signed by',
    meta: { wideOnly: true },
    cell: ({ row }) => <Id id={row.original.keyId} />,
  },
  {
    id: 'at',
    header: 'Signed',
    meta: { align: 'right' },
    cell: ({ row }) => <Time at={row.original.sealedAt} className="text-ink-3" />,
  },
  {
    id: 'save',
    header: () => <span className="sr-only">Save</span>,
    meta: { align: 'right', className: 'w-8' },
    cell: ({ row: { original } }) => (
      <IconButton
        label={`Save checkpoint ${formatInteger(original.size)}`}
        onClick={() => saveNote(String(original.size), original.checkpoint)}
      >
        <Download size={14} aria-hidden />
      </IconButton>
    ),
  },
]

/** Signed checkpoints, newest first. A stored checkpoint proves later that no earlier entry was changed. */
export function Checkpoints() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    apiPages('/v1/compliance/checkpoints', { limit: 5 }),
  )
  return (
    <Section
      title="Checkpoints"
      note="store one elsewhere: compared with a later export, it shows whether earlier entries changed or later ones are missing"
    >
      <DataTable
        label="Checkpoints"
        columns={checkpointColumns}
        rows={data}
        idOf={({ size }) => String(size)}
        error={error}
        retry={() => void refetch()}
        skeletonRows={5}
        more={{ hasMore: hasNextPage, isLoading: isFetchingNextPage, load: () => void fetchNextPage() }}
        empty={<EmptyState title="No checkpoints yet">The first call creates one.</EmptyState>}
      />
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
  { id: 'type', header: 'Stored by', cell: ({ row }) => anchorTypeNames[row.original.type] },
  {
    id: 'at',
    header: 'Anchored',
    meta: { align: 'right', wideOnly: true },
    cell: ({ row }) => <Time at={row.original.anchoredAt} className="text-ink-3" />,
  },
  {
    id: 'save',
    header: () => <span className="sr-only">Save</span>,
    meta: { align: 'right', className: 'w-8' },
    cell: ({ row: { original } }) => (
      <IconButton label={`Save the anchor of ${original.day}`} onClick={() => saveAnchor(original)}>
        <Download size={14} aria-hidden />
      </IconButton>
    ),
  },
]

const anchorTypeNames: Record<Anchor['type'], string> = { file: 'a file', rfc3161: 'a time-stamp authority' }

function saveAnchor({ day, checkpoint, token }: Anchor): void {
  saveNote(day, checkpoint)
  if (token === null) return
  const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0))
  saveFile(`checkpoint-${day}.tst`, new Blob([bytes], { type: 'application/timestamp-reply' }))
}

/** Checkpoints that are stored outside the service. */
export function Anchors() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    apiPages('/v1/compliance/anchors', { limit: 10 }),
  )
  return (
    <Section title="Anchors" note="checkpoints stored elsewhere">
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
          <EmptyState title="No anchors yet">
            The operator can write the last checkpoint of each day to a file on another machine, or have it
            time-stamped by an authority: <code>anchor</code> in the configuration.
          </EmptyState>
        }
      />
    </Section>
  )
}

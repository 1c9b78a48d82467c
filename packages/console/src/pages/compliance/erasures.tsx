import { useInfiniteQuery } from '@tanstack/react-query'
import type { ColumnDef } from '@tanstack/react-table'
import { useState } from 'react'
import { api, apiPages, type components, expectSuccess } from '../../api'
import {
  Button,
  Count,
  DataTable,
  EmptyState,
  FormDialog,
  Section,
  Status,
  TextField,
  Time,
  useDraftForm,
} from '../../components'
import { plural } from '../../format'
import { useIsManager } from '../../session'

type Erasure = components['schemas']['Erasure']

const columns: ColumnDef<Erasure>[] = [
  { id: 'user', header: 'Person', cell: ({ row }) => <span className="mono">{row.original.userId}</span> },
  {
    id: 'receipts',
    header: 'Receipts',
    meta: { align: 'right' },
    cell: ({ row }) => <Count value={row.original.erasedReceipts} />,
  },
  {
    id: 'through',
    header: 'Up to entry',
    meta: { align: 'right', wideOnly: true },
    cell: ({ row }) => <Count value={row.original.throughSeq} />,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ row }) =>
      row.original.status === 'done' ? (
        <Status tone="ok">done</Status>
      ) : (
        <Status tone="accent">running</Status>
      ),
  },
  {
    id: 'at',
    header: 'Requested',
    meta: { align: 'right' },
    cell: ({ row }) => <Time at={row.original.createdAt} className="text-ink-3" />,
  },
]

/** People whose content commitments were erased. */
export function Erasures() {
  const isManager = useIsManager()
  const [isErasing, setErasing] = useState(false)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    apiPages('/v1/compliance/erasures', { limit: 10 }),
  )
  const begin = isManager && <Button onClick={() => setErasing(true)}>Erase a person</Button>
  return (
    <Section title="Erasures" aside={data && data.length > 0 ? begin : undefined}>
      <DataTable
        label="Erasures"
        columns={columns}
        rows={data}
        idOf={({ id }) => id}
        error={error}
        retry={() => void refetch()}
        skeletonRows={2}
        more={{ hasMore: hasNextPage, isLoading: isFetchingNextPage, load: () => void fetchNextPage() }}
        empty={
          <EmptyState title="No erasures" action={begin}>
            Erasing a person deletes what could show the content of their calls. Receipts, totals and proofs
            do not change.
          </EmptyState>
        }
      />
      {isErasing && <Erase onClose={() => setErasing(false)} />}
    </Section>
  )
}

function Erase({ onClose }: { onClose(): void }) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ userId: '' }),
    toBody: ({ userId }) => ({ userId: userId.trim() }),
    create: async (body) => await expectSuccess(api.POST('/v1/compliance/erasures', { body })),
    invalidates: ['/v1/compliance'],
    message: ({ erasedReceipts, userId }) =>
      `Commitments of ${plural(erasedReceipts, 'receipt')} of ${userId} deleted`,
    onClose,
  })
  const userId = form.draft.userId.trim()
  return (
    <FormDialog
      form={form}
      title="Erase a person"
      description="Deletes their name, email, key names, captured content and the keys to the commitments of all their receipts so far. After that, nobody can check what those calls said, not even by guessing. Receipts keep the user ID. This cannot be undone."
      kind="danger"
      action={userId === '' ? 'Erase' : `Erase “${userId}”`}
      isDisabled={userId === ''}
    >
      <TextField label="User ID" {...form.field('userId')} hint="As shown under People" autoFocus />
    </FormDialog>
  )
}

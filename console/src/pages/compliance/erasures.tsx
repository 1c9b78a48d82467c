import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ColumnDef } from '@tanstack/react-table'
import { useState } from 'react'
import { api, askPages, type components, expectSuccess, Problem } from '../../api'
import { plural } from '../../format'
import {
  Button,
  Count,
  DataTable,
  Dialog,
  EmptyState,
  Section,
  Status,
  say,
  TextField,
  Time,
} from '../../parts'
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
    header: 'State',
    cell: ({ row }) =>
      row.original.status === 'done' ? (
        <Status tone="ok">done</Status>
      ) : (
        <Status tone="accent">running</Status>
      ),
  },
  {
    id: 'at',
    header: 'Asked',
    meta: { align: 'right' },
    cell: ({ row }) => <Time at={row.original.createdAt} className="text-ink-3" />,
  },
]

/** People whose calls can no longer be compared with the record. */
export function Erasures() {
  const isManager = useIsManager()
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    askPages('/v1/compliance/erasures', { limit: 10 }),
  )
  const begin = isManager && <Button onClick={() => setAsking(true)}>Erase a person</Button>
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
          <EmptyState title="Nobody was erased" action={begin}>
            Erasing a person deletes what would show what their calls said. Receipts, totals and proofs stay
            as they are.
          </EmptyState>
        }
      />
      {isAsking && <Erase onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Erase({ onClose }: { onClose(): void }) {
  const [userId, setUserId] = useState('')
  const queries = useQueryClient()
  const erase = useMutation({
    mutationFn: (id: string) => expectSuccess(api.POST('/v1/compliance/erasures', { body: { userId: id } })),
    onSuccess: ({ erasedReceipts }) => {
      onClose()
      say(`The commitments of ${plural(erasedReceipts, 'receipt')} of ${userId} were deleted`)
    },
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/v1/compliance'),
      }),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Erase a person"
      description="Their name, email, key names, captured content and the keys to the commitments of all their receipts so far are deleted. Nobody can check any more what those calls said, not even by guessing. Receipts keep the id. It cannot be undone."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            disabled={userId.trim() === ''}
            isBusy={erase.isPending}
            onClick={() => erase.mutate(userId.trim())}
          >
            {userId.trim() === '' ? 'Erase' : `Erase “${userId.trim()}”`}
          </Button>
        </>
      }
    >
      <TextField
        label="Id of the person"
        value={userId}
        onValue={setUserId}
        hint="As it stands under People"
        fault={erase.error instanceof Problem ? erase.error.message : erase.error?.message}
        autoFocus
      />
    </Dialog>
  )
}

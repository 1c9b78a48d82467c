import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ColumnDef } from '@tanstack/react-table'
import Download from 'lucide-react/icons/download'
import { api, apiPages, baseUrl, type components, expectSuccess } from '../../api'
import {
  Button,
  buttonClass,
  DataTable,
  EmptyState,
  ErrorState,
  Meter,
  Section,
  Status,
  Time,
} from '../../components'
import { formatBytes, formatInteger } from '../../format'
import { type ComplianceSearch, defaultDays } from './search'

type Job = components['schemas']['ComplianceJob']

const isOpen = ({ status }: Job) => status === 'queued' || status === 'running'
const refetchMs = 2_000

const columns: ColumnDef<Job>[] = [
  {
    id: 'name',
    header: 'File',
    cell: ({ row }) => <span className="mono break-all">{row.original.name}</span>,
  },
  { id: 'state', header: 'State', cell: ({ row }) => <State job={row.original} /> },
  {
    id: 'until',
    header: 'Expires',
    meta: { align: 'right', wideOnly: true },
    cell: ({ row }) => row.original.expiresAt && <Time at={row.original.expiresAt} className="text-ink-3" />,
  },
  { id: 'act', header: '', meta: { align: 'right' }, cell: ({ row }) => <Actions job={row.original} /> },
]

/** Attestations and exports that run in the background. The service keeps their files for some days. */
export function Jobs() {
  const { days = defaultDays, period }: ComplianceSearch = useSearch({ strict: false })
  const onSettled = useRefreshTools()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...apiPages('/v1/compliance/jobs', { limit: 10 }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some(isOpen)) ? refetchMs : false,
  })
  const attest = useMutation({
    mutationFn: () =>
      expectSuccess(
        api.POST('/v1/compliance/attestations', { body: period === undefined ? { days } : { period } }),
      ),
    onSettled,
  })
  const exporting = useMutation({
    mutationFn: () => expectSuccess(api.POST('/v1/compliance/exports', { body: {} })),
    onSettled,
  })
  const refused = attest.error ?? exporting.error
  const begin = (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" isBusy={attest.isPending} onClick={() => attest.mutate()}>
        Attest the period
      </Button>
      <Button size="sm" isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
        Export the record
      </Button>
    </div>
  )
  return (
    <Section
      title="Background jobs"
      note="for very large records"
      aside={data && data.length > 0 ? begin : undefined}
    >
      {refused !== null && <ErrorState error={refused} className="mb-3" />}
      <DataTable
        label="Attestations and exports in the background"
        columns={columns}
        rows={data}
        idOf={({ id }) => id}
        error={error}
        retry={() => void refetch()}
        skeletonRows={2}
        more={{ hasMore: hasNextPage, isLoading: isFetchingNextPage, load: () => void fetchNextPage() }}
        empty={
          <EmptyState title="No jobs" action={begin}>
            The service creates large attestations and exports in the background, and keeps them for some
            days.
          </EmptyState>
        }
      />
    </Section>
  )
}

function useRefreshTools() {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === '/v1/compliance/jobs' })
}

function State({ job }: { job: Job }) {
  const { status, progress, bytes, error } = job
  if (status === 'done') return <Status tone="ok">done, {formatBytes(bytes ?? 0)}</Status>
  if (status === 'failed') return <Status tone="bad">{error ?? 'failed'}</Status>
  if (status === 'cancelled' || progress.total === null) return <Status tone="neutral">{status}</Status>
  const label = `${formatInteger(progress.done)} of ${formatInteger(progress.total)} entries`
  return (
    <div className="flex flex-col gap-1">
      <Meter label={label} value={progress.done} max={progress.total} />
      <span className="num text-xs text-ink-2">{label}</span>
    </div>
  )
}

function Actions({ job }: { job: Job }) {
  const onSettled = useRefreshTools()
  const remove = useMutation({
    mutationFn: () =>
      expectSuccess(api.DELETE('/v1/compliance/jobs/{id}', { params: { path: { id: job.id } } })),
    onSettled,
  })
  return (
    <div className="flex justify-end gap-2">
      {job.resultUrl !== null && (
        <a href={`${baseUrl}${job.resultUrl}`} download={job.name} className={buttonClass('plain', 'sm')}>
          <Download size={13} aria-hidden />
          Download
        </a>
      )}
      <Button size="sm" kind="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
        {isOpen(job) ? 'Cancel' : 'Remove'}
      </Button>
    </div>
  )
}

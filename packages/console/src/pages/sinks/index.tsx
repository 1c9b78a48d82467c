import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { apiQuery } from '../../api'
import { Button, EmptyState, Headline, Section, Skeleton } from '../../components'
import { plural } from '../../format'
import { useIsManager } from '../../session'
import { SinkForm } from './form/sink-form'
import type { SinksSearch } from './search'
import { SinkPanel } from './sink-panel'
import { stateOf } from './sink-state'
import { SinkTable } from './sink-table'
import type { Sink } from './use-sinks'

// Batches are not announced as events, so the list is polled while it is shown.
const refetchMs = 10_000

export default function SinksPage() {
  const search: SinksSearch = useSearch({ from: '/app/sinks' })
  const navigate = useNavigate({ from: '/sinks' })
  const isManager = useIsManager()
  // A tenant has at most 100.
  const list = useQuery({
    ...apiQuery('/v1/sinks', { params: { query: { limit: 100 } } }),
    refetchInterval: refetchMs,
  })
  const sinks = list.data?.data
  const [isCreating, setCreating] = useState(false)
  const open = (sink: string | undefined, replace = false) => void navigate({ search: { sink }, replace })
  const create = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      New sink
    </Button>
  )
  return (
    <>
      <Summary sinks={sinks} hasFailed={list.error !== null} />
      <Section title="Exports" aside={sinks && sinks.length > 0 && create}>
        <SinkTable
          rows={sinks}
          error={list.error}
          retry={() => void list.refetch()}
          openId={search.sink}
          onOpen={({ id }) => open(id, search.sink !== undefined)}
          empty={
            <EmptyState title="No sinks yet" action={create}>
              A sink exports receipts, calls, the audit log or security events to a bucket, a URL or a SIEM.
              It sends what is stored already, then everything that is added, and continues after an outage.
            </EmptyState>
          }
        />
      </Section>
      {search.sink !== undefined && (
        <SinkPanel key={search.sink} id={search.sink} onClose={() => open(undefined)} />
      )}
      {isCreating && (
        <SinkForm sink={null} onClose={() => setCreating(false)} onCreated={({ id }) => open(id)} />
      )}
    </>
  )
}

/** States whether exports arrive. */
function Summary({ sinks, hasFailed }: { sinks: readonly Sink[] | undefined; hasFailed: boolean }) {
  if (!sinks) return hasFailed ? null : <Skeleton className="mb-6 h-9 w-[28rem] max-w-full" />
  if (sinks.length === 0) return null
  const broken = sinks.filter((sink) => ['failing', 'secrets unavailable'].includes(stateOf(sink)))
  const behind = sinks.filter((sink) => stateOf(sink) === 'behind')
  const enabled = sinks.filter((sink) => sink.enabled)
  const [first] = broken
  return (
    <Headline>
      {first && broken.length === 1 ? (
        <>
          <b>{first.name}</b> is failing: {first.state.lastError ?? 'its secrets cannot be decrypted'}.
        </>
      ) : first ? (
        <>
          <b>{broken.length} sinks</b> are failing.
        </>
      ) : behind.length > 0 ? (
        <>
          <b>{plural(behind.length, 'sink is', 'sinks are')} behind</b>, and catching up.
        </>
      ) : enabled.length === 0 ? (
        'Every sink is disabled: nothing is exported.'
      ) : (
        <>
          <b>{plural(enabled.length, 'sink is', 'sinks are')} enabled</b> and not failing.
        </>
      )}
    </Headline>
  )
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ask, askPages } from '../../api'
import { ErrorState, Headline, Skeleton } from '../../parts'
import { useSession } from '../../session'
import { Bench } from './bench'
import { Editor } from './editor'
import { BackToList, KindPicker } from './kind-picker'
import { PolicyList } from './list'
import { isKind, type Policy } from './policy'
import { SecretDialog } from './secret-dialog'

export default function PoliciesPage() {
  return useSession().role === 'member' ? <MemberPage /> : <ReaderPage />
}

/** Which policies there are is for managers and auditors; what they do with a call of one's own, everybody may try. */
function MemberPage() {
  return (
    <>
      <Headline>What would be done with your call?</Headline>
      <div className="max-w-2xl">
        <p className="mt-0 mb-4 text-sm text-ink-2">
          Policies may block or redact what a request asks and a model answers. Try a text before you send it:
          nothing leaves this service, and nothing is recorded.
        </p>
        <Bench draft={null} policies={none} />
      </div>
    </>
  )
}

const none: readonly Policy[] = []

function ReaderPage() {
  const search = useSearch({ from: '/frame/policies' })
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    askPages('/v1/policies', { limit: 200 }),
  )
  // All of them are shown, by scope: a tenant has tens, rarely hundreds.
  useEffect(() => {
    if (hasNextPage) void fetchNextPage()
  }, [hasNextPage, fetchNextPage])
  const [secret, setSecret] = useState<string | null>(null)
  const { policy, kind } = search
  return (
    <>
      {policy === undefined ? (
        <PolicyList policies={data} error={error} retry={() => void refetch()} search={search} />
      ) : policy !== 'new' ? (
        <OpenPolicy key={policy} id={policy} policies={data ?? none} onSecret={setSecret} />
      ) : isKind(kind) ? (
        <Editor key={kind} kind={kind} policy={null} policies={data ?? none} onSecret={setSecret} />
      ) : (
        <KindPicker />
      )}
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

function OpenPolicy({
  id,
  policies,
  onSecret,
}: {
  id: string
  policies: readonly Policy[]
  onSecret(secret: string): void
}) {
  const { data, error, refetch } = useQuery(ask('/v1/policies/{id}', { params: { path: { id } } }))
  if (data) return <Editor kind={data.kind} policy={data} policies={policies} onSecret={onSecret} />
  return (
    <>
      <BackToList />
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Skeleton className="h-80" />}
    </>
  )
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiPages, apiQuery } from '../../api'
import { ErrorState, Headline, Skeleton } from '../../components'
import { useSession } from '../../session'
import { Editor } from './editor/editor'
import { BackToList, KindPicker } from './kind-picker'
import { isKind } from './kinds'
import { PolicyList } from './list'
import type { Policy } from './policy'
import { SecretDialog } from './secret-dialog'
import { TrialPanel } from './trial/trial-panel'

export default function PoliciesPage() {
  return useSession().role === 'member' ? <MemberPage /> : <PoliciesContent />
}

/** Members cannot list policies, but may test their own calls against them. */
function MemberPage() {
  return (
    <>
      <Headline>Test your call against the policies</Headline>
      <div className="max-w-2xl">
        <p className="mt-0 mb-4 text-sm text-ink-2">
          Policies can block or redact requests and responses. Test a text before you send it: nothing leaves
          this service, and nothing is recorded.
        </p>
        <TrialPanel draft={null} policies={noPolicies} />
      </div>
    </>
  )
}

const noPolicies: readonly Policy[] = []

function PoliciesContent() {
  const search = useSearch({ from: '/app/policies' })
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    apiPages('/v1/policies', { limit: 200 }),
  )
  // Loads all policies: a tenant has dozens, rarely hundreds.
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
        <OpenPolicy key={policy} id={policy} policies={data ?? noPolicies} onSecret={setSecret} />
      ) : isKind(kind) ? (
        <Editor key={kind} kind={kind} policy={null} policies={data ?? noPolicies} onSecret={setSecret} />
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
  const { data, error, refetch } = useQuery(apiQuery('/v1/policies/{id}', { params: { path: { id } } }))
  if (data) return <Editor kind={data.kind} policy={data} policies={policies} onSecret={onSecret} />
  return (
    <>
      <BackToList />
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Skeleton className="h-80" />}
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, apiQuery, expectSuccess } from '../../api'
import { Confirm, ErrorState, notify } from '../../components'
import { formatInteger, plural } from '../../format'
import { useSession } from '../../session'
import type { Key } from './use-keys'

export function useRevokeKey(subject: Key, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await expectSuccess(api.DELETE('/v1/keys/{id}', { params: { path: { id: subject.id } } }))
    },
    onSuccess: async () => {
      notify(`Key “${subject.name}” revoked`)
      await Promise.all(
        ['/v1/keys', '/v1/keys/{id}'].map((path) => queries.invalidateQueries({ queryKey: [path] })),
      )
      onDone()
    },
  })
}

/** Confirms revoking a key and states how many calls it made in the last day. */
export function RevokeKey({ subject, onClose }: { subject: Key; onClose(): void }) {
  const session = useSession()
  const revoke = useRevokeKey(subject, onClose)
  const lastDay = useQuery(
    apiQuery('/v1/usage', { params: { query: { range: '24h', keyId: subject.id, interval: 'hour' } } }),
  )
  const calls = lastDay.data?.totals.requests
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Revoke “${subject.name}”?`}
      action={
        calls === undefined || calls === 0
          ? `Revoke “${subject.name}”`
          : `Revoke: ${plural(calls, 'call')} a day will fail`
      }
      onConfirm={() => revoke.mutate()}
      isBusy={revoke.isPending || lastDay.isLoading}
    >
      <p className="m-0">
        {calls === undefined ? (
          'Counting the calls of the last day …'
        ) : calls === 0 ? (
          'It made no calls in the last day.'
        ) : (
          <>
            <b className="num font-semibold">{formatInteger(calls)}</b> {calls === 1 ? 'call' : 'calls'} in
            the last day will start to fail: calls with this key get a 401 within a second.
          </>
        )}
      </p>
      <p className="m-0 mt-2 text-ink-2">
        This cannot be undone. Its calls, spend and receipts stay. To replace it without an outage, rotate it
        instead.
      </p>
      {session.keyId === subject.id && (
        <p className="m-0 mt-2 text-bad">You are signed in with this key: you will be signed out.</p>
      )}
      {revoke.error !== null && <ErrorState error={revoke.error} className="mt-3" />}
    </Confirm>
  )
}

import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../api'
import { ErrorState, Status } from '../../components'
import { type Endpoint, useRefreshWebhooks } from './use-webhooks'

/** Sends a test event. The result is in `data`. */
export function useTest({ id }: Endpoint) {
  const refresh = useRefreshWebhooks()
  return useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/webhook-endpoints/{id}/test', { params: { path: { id } } })),
    onSettled: refresh,
  })
}

/** The response of the receiver. */
export function TestAnswer({ test }: { test: ReturnType<typeof useTest> }) {
  return (
    <div role="status" className="text-sm">
      {test.isPending && <span className="text-ink-2">Sending. The timeout is ten seconds …</span>}
      {test.error && <ErrorState error={test.error} />}
      {test.data &&
        !test.isPending &&
        (test.data.delivered ? (
          <Status tone="ok">Test delivered</Status>
        ) : (
          <Status tone="bad">{test.data.error ?? 'Test failed'}</Status>
        ))}
    </div>
  )
}

import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../../api'
import { ErrorState, Status } from '../../../components'
import { formatDuration } from '../../../format'
import { type Provider, useRefresh } from '../use-providers'

/** Tests a provider with a free request per credential. The result is in `data`; a rejected credential is paused. */
export function useTest({ id }: Provider) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/providers/{id}/test', { params: { path: { id } } })),
    onSettled: refresh,
  })
}

export function TestAnswer({ test }: { test: ReturnType<typeof useTest> }) {
  return (
    <div role="status" className="text-sm">
      {test.isPending && <span className="text-ink-2">Testing. The timeout is ten seconds …</span>}
      {test.error && <ErrorState error={test.error} />}
      {test.data &&
        !test.isPending &&
        (test.data.ok ? (
          <Status tone="ok">
            Reachable, and accepts every credential{' '}
            <span className="num text-ink-3">({formatDuration(test.data.latencyMs)})</span>
          </Status>
        ) : (
          <span className="text-bad">
            <Status tone="bad">Test failed.</Status> {test.data.error}
          </span>
        ))}
    </div>
  )
}

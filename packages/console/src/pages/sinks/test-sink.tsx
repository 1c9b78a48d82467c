import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../api'
import { ErrorState, Status } from '../../components'
import type { Sink } from './use-sinks'

/** Sends a test to the destination. The result is in `data`. */
export const useTest = ({ id }: Sink) =>
  useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/sinks/{id}/test', { params: { path: { id } } })),
  })

/** What came of the test. */
export const TestAnswer = ({ test }: { test: ReturnType<typeof useTest> }) => (
  <div role="status" className="text-sm">
    {test.isPending && <span className="text-ink-2">Sending. The timeout is 30 seconds …</span>}
    {test.error && <ErrorState error={test.error} />}
    {test.data &&
      !test.isPending &&
      (test.data.delivered ? (
        <Status tone="ok">Test delivered</Status>
      ) : (
        <span className="text-bad">{test.data.error ?? 'Test failed'}</span>
      ))}
  </div>
)

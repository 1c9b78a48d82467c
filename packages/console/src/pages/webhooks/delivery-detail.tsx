import { useMutation, useQuery } from '@tanstack/react-query'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { api, apiQuery, expectSuccess } from '../../api'
import { Button, Dot, ErrorState, Id, notify, notifyError, Skeleton, Snippet, Time } from '../../components'
import { formatClock, formatDay, formatDuration } from '../../format'
import { useIsManager } from '../../session'
import { useTimeZone } from '../../time/use-span'
import { type Delivery, type Endpoint, useRefreshWebhooks } from './use-webhooks'

interface DeliveryDetailProps {
  endpoint: Endpoint
  delivery: Delivery
}

/** The body, headers and attempts of a delivery, and a button to resend it. */
export function DeliveryDetail({ endpoint, delivery }: DeliveryDetailProps) {
  const isManager = useIsManager()
  const params = { path: { id: endpoint.id, deliveryId: delivery.id } }
  const detail = useQuery(apiQuery('/v1/webhook-endpoints/{id}/deliveries/{deliveryId}', { params }))
  const refresh = useRefreshWebhooks()
  const retry = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/retry', { params })),
    async onSuccess() {
      await refresh()
      notify('Delivery resent')
    },
    onError: (error) => notifyError('Delivery not resent', error),
  })
  if (detail.error && !detail.data)
    return <ErrorState error={detail.error} retry={() => void detail.refetch()} className="mb-3" />
  if (!detail.data) return <Skeleton className="mb-3 h-24" />
  const { history, body, nextAttemptAt, error } = detail.data
  return (
    <div className="flex flex-col gap-4 pt-1 pb-5 pl-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-ink-2">
        <Id id={delivery.id} />
        {nextAttemptAt !== null && (
          <span>
            next attempt <Time at={nextAttemptAt} />
          </span>
        )}
        {isManager && delivery.event !== 'webhook.test' && (
          <Button
            size="sm"
            className="ml-auto"
            icon={<RotateCw size={13} aria-hidden />}
            onClick={() => retry.mutate()}
            isBusy={retry.isPending}
          >
            Resend
          </Button>
        )}
      </div>
      {history.length > 0 ? (
        <Attempts history={history} />
      ) : (
        error !== null && <p className="m-0 text-bad">{error}</p>
      )}
      <Part title="Body">
        <Snippet code={indent(body)} />
      </Part>
      <Part title="Headers">
        <Snippet code={headersOf(endpoint, delivery)} />
      </Part>
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div>
    <p className="m-0 mb-1 text-xs text-ink-3">{title}</p>
    {children}
  </div>
)

interface Attempt {
  at: string
  durationMs: number
  statusCode: number | null
  error: string | null
}

function Attempts({ history }: { history: readonly Attempt[] }) {
  const timeZone = useTimeZone()
  return (
    <table className="w-full border-collapse text-xs" aria-label="Attempts">
      <thead>
        <tr className="text-left text-ink-3">
          <th className="py-1 pr-3 font-medium">Attempt</th>
          <th className="py-1 pr-3 font-medium">Response</th>
          <th className="py-1 text-right font-medium">Duration</th>
        </tr>
      </thead>
      <tbody>
        {history.map(({ at, durationMs, statusCode, error }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only appended, so their position identifies them
          <tr key={n} className="border-t border-rule align-baseline">
            <td className="num py-1 pr-3 whitespace-nowrap" title={at}>
              {formatDay(new Date(at), timeZone)} {formatClock(new Date(at), timeZone)}
            </td>
            <td className="py-1 pr-3">
              <span className="inline-flex items-center gap-1.5">
                <Dot tone={error === null ? 'ok' : 'bad'} />
                {error ?? statusCode ?? 'arrived'}
              </span>
            </td>
            <td className="num py-1 text-right whitespace-nowrap">{formatDuration(durationMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats JSON; other text is unchanged. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** The headers of a delivery; those that differ by attempt are listed without a value. */
function headersOf({ type, envelope }: Endpoint, { id, event }: Delivery): string {
  const lines = [
    `Content-Type: application/${type === 'generic' && envelope === 'cloudevents' ? 'cloudevents+json' : 'json'}`,
    'User-Agent: Tallystick-Webhooks',
    `X-Tallystick-Delivery-Id: ${id}`,
    `X-Tallystick-Event: ${event}`,
  ]
  if (type === 'chat') return lines.join('\n')
  return [
    ...lines,
    'X-Tallystick-Signature: t=…,v1=…        (new at every attempt)',
    `webhook-id: ${id}`,
    'webhook-timestamp: …                   (new at every attempt)',
    'webhook-signature: v1,…                (new at every attempt)',
  ].join('\n')
}

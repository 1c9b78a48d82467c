import { readMetrics } from '../../harness/reporting/metrics.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Fault } from './fault.js'

// Nothing listens there.
const closed = 'http://127.0.0.1:9'

export const receiverFaults: readonly Fault[] = [
  {
    name: 'the receiver of webhooks is down',
    expected: { causes: [], alerts: ['TallystickWebhooksFailing'] },
    async strike({ api, lasts, blockedCall }) {
      const endpoint = await created(
        api.post('/v1/webhook-endpoints', {
          ...{ name: 'closed', type: 'generic', url: `${closed}/hook`, events: ['policy.violation'] },
        }),
      )
      let isOver = false
      const blocking = (async () => {
        while (!isOver) await blockedCall()
      })()
      await lasts()
      isOver = true
      await blocking
      await api.delete(`/v1/webhook-endpoints/${endpoint}`)
    },
  },
  {
    name: 'the receiver of a sink is down',
    expected: { causes: [], alerts: ['TallystickSinkLate'] },
    async strike({ api, replicas, lasts }) {
      const destination = {
        ...{ type: 's3', url: closed, region: 'eu-central-1', bucket: 'lake' },
        ...{ accessKeyId: 'a', secretAccessKey: 'b' },
      }
      const sink = await created(
        api.post('/v1/sinks', { name: 'lake', data: 'receipts', intervalSeconds: 1, destination }),
      )
      await waitFor('a replica to read how late it is', async () => {
        const metrics = await readMetrics(replicas.address() ?? '')
        return metrics.sum('tallystick_sink_overdue_seconds') > 0
      })
      await lasts()
      await api.delete(`/v1/sinks/${sink}`)
    },
  },
]

async function created(answer: Promise<{ status: number; body: { id: string } }>): Promise<string> {
  const { status, body } = await answer
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

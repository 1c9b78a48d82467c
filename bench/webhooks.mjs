// Webhook deliveries per second, from the receipt to the 2xx, as a share of a bare loop that posts the same bodies.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Agent } from 'undici'
import { runAndCleanUp, startHelper } from './processes.mjs'
import { startDeliverer } from './webhook-deliverer.mjs'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    endpoints: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
  },
})
const events = Number(values.events)
const endpoints = Number(values.endpoints)
const rounds = Number(values.rounds)
const dead = Math.max(1, Math.round(endpoints / 10))
const live = endpoints - dead

/** @param {number[]} numbers */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/**
 * Posts as fast as it can, with as many calls under way as the service may have.
 * @param {string} url @param {Buffer} body @param {number} count @param {number} paths
 */
async function postBare(url, body, count, paths) {
  const agent = new Agent({ connections: null, pipelining: 1 })
  let next = 0
  const post = () =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      agent.dispatch(
        { origin: url, path: `/live/${next % paths}`, method: 'POST', headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData: () => undefined,
          onResponseEnd: () => resolve(undefined),
          onResponseError: (_, error) => reject(error),
        },
      )
    })
  await Promise.all(
    Array.from({ length: 16 * paths }, async () => {
      while (next++ < count) await post()
    }),
  )
  await agent.close()
}

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { child: receiver, first } = await startHelper('webhook-receiver.mjs', [], cleanup)
  const url = `http://127.0.0.1:${first.port}`
  const deliverer = await startDeliverer(cleanup)

  /** @param {number} count @param {() => Promise<unknown>} send */
  async function rate(count, send) {
    receiver.send(String(count))
    const taken = once(receiver, 'message')
    const startedMs = performance.now()
    await Promise.all([send(), taken])
    return (count / (performance.now() - startedMs)) * 1_000
  }

  /** @type {{ bare: number, alone: number, beside: number }[]} */
  const measured = []
  for (let round = 0; round <= rounds; round++) {
    const bare = await rate(live * events, () => postBare(url, deliverer.sampleBody, live * events, live))
    const alone = await deliverer.deliver({ url, live, dead: 0 }, (send) =>
      rate(live * events, () => send(events)),
    )
    const beside = await deliverer.deliver({ url, live, dead }, (send) =>
      rate(live * events, () => send(events)),
    )
    // The first is to warm up.
    if (round > 0) measured.push({ bare, alone, beside })
  }
  const share = median(measured.map(({ bare, alone }) => alone / bare))
  const lost = median(measured.map(({ alone, beside }) => 1 - beside / alone))
  const rates = (/** @type {'bare' | 'alone' | 'beside'} */ name) =>
    Math.round(median(measured.map((each) => each[name])))
  console.log(
    `${events} events for ${live} live endpoints${dead > 0 ? `, then ${dead} dead ones beside them` : ''}; median of ${rounds} rounds`,
  )
  console.log(`bare loop            ${rates('bare')} deliveries/s`)
  console.log(
    `tallystick           ${rates('alone')} deliveries/s, ${share.toFixed(2)} of the bare loop (goal: 0.30)`,
  )
  console.log(
    `with dead receivers  ${rates('beside')} deliveries/s, ${(lost * 100).toFixed(1)} % lost (goal: under 10 %)`,
  )
}

await runAndCleanUp(run)

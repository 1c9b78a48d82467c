import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDeployment } from '../chaos/deployment.js'
import { runbookOf } from '../chaos/faults/fault.js'
import { faults } from '../chaos/faults/index.js'
import { readPage } from '../chaos/page.js'
import { missingEntry, strike, type Watch } from '../chaos/strike.js'
import { hasRedis } from '../harness/processes/redis.js'
import { hasPromtool } from '../harness/reporting/firing-alerts.js'

const page = readFileSync(new URL('../../docs/operate/faults.md', import.meta.url), 'utf8')

test('the page of faults lists those that `npm run chaos` strikes, and no others', () => {
  expect(readPage(page)).toEqual(faults.map(({ name }) => name))
  expect(faults.length).toBeGreaterThanOrEqual(25)
})

test('each fault has a section that says what to do', () => {
  const missing = faults.flatMap(({ name, expected }) => {
    const found = missingEntry(runbookOf(expected))
    return found === null ? [] : [`${name}: ${found}`]
  })
  expect(missing).toEqual([])
})

const cheap = ['a replica is killed', 'Redis is away']

test.skipIf(!hasRedis || !hasPromtool)(
  'under load, nothing is lost when a replica is killed or Redis is away, and probes, metrics and alerts name them',
  async () => {
    const watch: Watch = { observer: null }
    const deployment = await openDeployment({
      ...{ replicas: 2, callers: 4 },
      lasts: async () => await watch.observer?.lasts(4),
    })
    try {
      await deployment.callers.stop()
      for (const fault of faults.filter(({ name }) => cheap.includes(name)))
        expect(await strike(deployment, fault, watch)).toMatchObject({
          ...{ name: fault.name, faults: [], lost: 0, doubled: 0 },
          alerts: expect.arrayContaining([...fault.expected.alerts]),
        })
    } finally {
      await deployment.close()
    }
  },
  300_000,
)

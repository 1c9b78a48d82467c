import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Readiness } from '../../packages/service/src/http/index.js'
import { dependencyFaults, type Scene } from '../chaos/dependency-faults.js'
import { lacksDisks, mountDisk, startPostgres, unmountDisk } from '../chaos/postgres.js'
import { masterKey } from '../harness/processes/master-key.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { hasPromtool, listFiringAlerts } from '../harness/reporting/firing-alerts.js'
import { readMetrics } from '../harness/reporting/metrics.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'

// Each fault, made with real servers and disks, must have the right words in /readyz, a metric, an alert and an entry of the runbook.

const isPossible = hasRedis && hasPromtool
const managerKey = `tallystick_sk_${'p'.repeat(40)}`
const runbook = readFileSync(new URL('../../docs/operate/alerts.md', import.meta.url), 'utf8')
/** Alerts about what callers saw and about figures follow from any fault, and depend on how long it lasted. */
const isAboutDependency = (alert: string) =>
  /^Tallystick(Database(?!Slow)|Redis|Record|Spool|DataDirectory|Schema|ServingLock|Supervisor|Clock|Worker)/.test(
    alert,
  )

let scene: Scene
let service: ServiceProcess

beforeAll(async () => {
  if (!isPossible) return
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-probes-'))
  if (lacksDisks() === null) mountDisk(dataDir, 'size=4g,mode=0700')
  const postgres = await startPostgres()
  const redis = await startRedis()
  service = await startServiceProcess({
    ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, TALLYSTICK_DATA_DIR: dataDir },
    ...{ TALLYSTICK_BOOTSTRAP_KEY: managerKey, TALLYSTICK_MASTER_KEY: masterKey },
  })
  scene = { postgres, redis, dataDir, api: createApi(service.address, managerKey) }
})
afterAll(async () => {
  if (scene === undefined) return
  await service.end('SIGKILL')
  await scene.redis.close()
  await scene.postgres.close()
  if (lacksDisks() === null) unmountDisk(scene.dataDir)
  await rm(scene.dataDir, { recursive: true, force: true })
})

const probe = async () => {
  const response = await fetch(`${service.address}/readyz`, { signal: AbortSignal.timeout(10_000) })
  const body = (await response.json()) as Readiness
  return { code: response.status, body }
}

for (const { name, check, cause, status, says, alerts, strike, lacks } of dependencyFaults)
  test.skipIf(!isPossible || (lacks?.() ?? null) !== null)(
    `${name}: the probe, the metric, the alert and the runbook say so`,
    async () => {
      await waitFor('all to be well', async () => (await probe()).body.status === 'ready')
      const heal = await strike(scene)
      try {
        const { code, body } = await waitFor(`${check} to be ${status}`, async () => {
          const answer = await probe()
          return answer.body.status === status && answer.body.checks[check].cause === cause && answer
        })
        expect(code).toBe(status === 'unready' ? 503 : 200)
        expect(body.checks[check]).toMatchObject({ state: status, message: expect.stringMatching(says) })
        expect(Date.parse(body.checks[check].since)).toBeLessThanOrEqual(Date.now())
        // Restarting the process would not help.
        expect((await fetch(`${service.address}/healthz`)).status).toBe(200)

        await waitFor(
          `the alerts ${alerts}`,
          async () => {
            const metrics = await readMetrics(service.address)
            if (metrics.one('tallystick_fault', { cause }) !== 1) return false
            const firing = (await listFiringAlerts(metrics)).filter(isAboutDependency)
            return JSON.stringify(firing) === JSON.stringify(alerts)
          },
          60_000,
        )
        for (const alert of alerts) expect(runbook).toContain(`\n## ${alert}\n`)
      } finally {
        await heal()
      }
      await waitFor('it to be over', async () => (await probe()).body.status === 'ready')
      expect((await readMetrics(service.address)).of('tallystick_fault')).toEqual([])
    },
  )

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasCode } from '../../../packages/service/src/shared/error-code.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Deployment } from '../deployment.js'
import type { Replica } from '../replicas.js'
import { type Fault, noAlert } from './fault.js'

export const fakeTime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib']
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))
export const lacksFakeTime = () => (fakeTime === undefined ? 'libfaketime is not installed' : null)

export const replicaFaults: readonly Fault[] = [
  {
    name: 'a replica is killed',
    expected: { causes: [], alerts: ['TallystickDown', 'TallystickCallsInterrupted'] },
    async strike({ replicas, provider, lasts }) {
      provider.delay(500)
      await pause(500)
      const replica = replicas.any()
      await replicas.end(replica, 'SIGKILL')
      provider.delay(0)
      await lasts()
      await replicas.run(replica)
    },
  },
  {
    name: 'all replicas are killed',
    expected: { causes: [], alerts: ['TallystickDown'] },
    async strike({ replicas, lasts }) {
      await Promise.all(replicas.all.map((replica) => replicas.end(replica, 'SIGKILL')))
      await lasts()
      await Promise.all(replicas.all.map((replica) => replicas.run(replica)))
    },
  },
  {
    name: 'a replica is stopped and started',
    expected: { ...noAlert('start-and-stop.md#stop'), causes: ['stopping'] },
    async strike({ replicas }) {
      const replica = replicas.any()
      await replicas.end(replica, 'SIGTERM')
      await replicas.run(replica)
    },
  },
  {
    name: 'all replicas are replaced, one by one',
    expected: { ...noAlert('upgrade.md'), causes: ['stopping'] },
    async strike({ replicas }) {
      for (const replica of replicas.all) {
        await replicas.end(replica, 'SIGTERM')
        await replicas.run(replica)
      }
    },
  },
  {
    name: 'a replica is paused',
    expected: { causes: [], alerts: ['TallystickDown'] },
    strike: ({ replicas, lasts }) => paused(replicas.any().process?.pid, lasts),
  },
  {
    name: 'a replica is paused until it is taken for dead',
    expected: { causes: [], alerts: ['TallystickDown', 'TallystickCallsInterrupted'] },
    async strike({ replicas, provider, postgres, lasts }) {
      provider.delay(500)
      await pause(500)
      const interrupted = () => postgres.query("select from receipts where canonical like '%interrupted%'")
      const before = (await interrupted()).length
      await paused(replicas.any().process?.pid, async () => {
        provider.delay(0)
        await lasts()
        await waitFor('its calls to be recorded', async () => (await interrupted()).length > before, 40_000)
      })
    },
  },
  {
    name: 'a worker of a replica is killed',
    expected: {
      causes: ['worker_missing'],
      // Another one takes its place at once.
      alerts: ['TallystickCallsInterrupted'],
    },
    strike: (deployment) =>
      withEnvironment(deployment, { TALLYSTICK_WORKERS: '2' }, async (replica) => {
        const [worker] = (await replica.process?.workers()) ?? []
        deployment.provider.delay(500)
        await pause(500)
        if (worker !== undefined) process.kill(worker, 'SIGKILL')
        deployment.provider.delay(0)
        await deployment.lasts()
      }),
  },
  {
    name: 'a worker of a replica hangs',
    expected: { causes: ['worker_silent'], alerts: ['TallystickWorkerSilent'] },
    strike: (deployment) =>
      withEnvironment(
        deployment,
        { TALLYSTICK_WORKERS: '2', TALLYSTICK_WORKER_SILENCE_MS: '6000' },
        async (replica) => {
          const [worker] = (await replica.process?.workers()) ?? []
          await paused(worker, deployment.lasts)
        },
      ),
  },
  {
    name: 'the supervisor of workers is killed',
    expected: { causes: [], alerts: ['TallystickDown'] },
    strike: (deployment) =>
      withEnvironment(deployment, { TALLYSTICK_WORKERS: '2' }, async (replica) => {
        await deployment.replicas.end(replica, 'SIGKILL')
        await deployment.lasts()
      }),
  },
  {
    name: 'the clock of a replica is an hour ahead',
    expected: { causes: ['clock_off'], alerts: ['TallystickClockOff'] },
    lacks: lacksFakeTime,
    strike: withClockAhead,
  },
]

async function paused(pid: number | undefined, wait: () => Promise<void>): Promise<void> {
  if (pid === undefined) throw new Error('there is no process to pause')
  process.kill(pid, 'SIGSTOP')
  try {
    await wait()
  } finally {
    continueIfRunning(pid)
  }
}

/** A worker that hangs for long is killed. */
function continueIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** Starts one replica with other settings, and again with its own afterwards. */
async function withEnvironment(
  { replicas, recovered }: Deployment,
  env: Record<string, string>,
  act: (replica: Replica) => Promise<void>,
): Promise<void> {
  const replica = replicas.any()
  await replicas.end(replica, 'SIGTERM')
  replica.env = env
  await replicas.run(replica)
  try {
    await recovered()
    const address = replica.process?.address ?? ''
    await waitFor('the balancer to use it', () => replicas.candidates().includes(address), 60_000)
    await act(replica)
  } finally {
    await replicas.end(replica, 'SIGTERM')
    replica.env = {}
    await replicas.run(replica)
  }
}

/** The clock is set while the replica serves. */
async function withClockAhead(deployment: Deployment): Promise<void> {
  const file = join(deployment.folder, 'clock')
  await writeFile(file, '+0s')
  const env = {
    LD_PRELOAD: fakeTime ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  await withEnvironment(deployment, env, async () => {
    await writeFile(file, '+3600s')
    await deployment.lasts()
    await writeFile(file, '+0s')
  })
}

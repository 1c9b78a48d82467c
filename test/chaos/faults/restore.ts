import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '../../harness/processes/command.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Deployment } from '../deployment.js'
import type { Fault } from './fault.js'

const refused = {
  causes: ['record_refused'],
  alerts: ['TallystickRecordRefused'],
  losesCommits: true,
} as const

export const restoreFaults: readonly Fault[] = [
  {
    name: 'the database fails over to a standby without the last commits',
    expected: { ...refused, mayName: ['database_unreachable', 'serving_lock_lost'] },
    async strike(deployment) {
      const standby = await deployment.postgres.copy()
      await pause(1_500)
      await deployment.postgres.replaceBy(standby)
      await deployment.lasts()
      await acceptRestore(deployment)
    },
  },
  {
    name: 'the database is restored from an older copy',
    expected: refused,
    async strike(deployment) {
      const { postgres, replicas, lasts } = deployment
      const copy = await postgres.copy()
      await pause(5_000)
      await Promise.all(replicas.all.map((replica) => replicas.end(replica, 'SIGTERM')))
      await postgres.replaceBy(copy)
      await Promise.all(replicas.all.map((replica) => replicas.run(replica)))
      await lasts()
      await acceptRestore(deployment)
    },
  },
]

/** What docs/operate/backup.md says that an operator does. */
async function acceptRestore({ postgres, replicas, env }: Deployment): Promise<void> {
  for (const address of replicas.addresses())
    await waitFor(
      'the loss to be noticed',
      async () => {
        const body = await fetch(`${address}/readyz`).then((response) => response.text())
        return body.includes('record_refused')
      },
      20_000,
    )
  const { exitCode, stderr } = await runCommand(['record', 'accept-restore', '--by', 'Operator'], {
    ...env,
    DATABASE_URL: postgres.url,
    TALLYSTICK_DATA_DIR: replicas.all[0]?.dataDir ?? '',
  })
  if (exitCode !== 0) throw new Error(stderr)
}

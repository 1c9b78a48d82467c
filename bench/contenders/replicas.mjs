import { spawn, spawnSync } from 'node:child_process'
import { openFolder } from '../folder.mjs'
import { end } from '../processes.mjs'
import { startService } from '../service.mjs'
import { findFreePort } from './free-port.mjs'

/**
 * The service with its limits in Redis, in one process and in several behind one address.
 * @param {string} upstream @param {import('../processes.mjs').Cleanup} cleanup
 * @returns {Promise<import('../contenders.mjs').Contender[]>}
 */
export async function startReplicas(upstream, cleanup) {
  const env = { REDIS_URL: await startRedis(cleanup) }
  const contenders = []
  for (const workers of [1, 2, 4]) {
    const name = workers === 1 ? 'with Redis' : `${workers} with Redis`
    contenders.push(
      await startService(upstream, cleanup, { name, args: ['--workers', String(workers)], env }),
    )
  }
  return contenders
}

/** @param {import('../processes.mjs').Cleanup} cleanup */
async function startRedis(cleanup) {
  const program = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  )
  if (program === undefined) throw new Error('--replicas needs redis-server or valkey-server')
  const folder = await openFolder(cleanup)
  const port = await findFreePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  cleanup.add(() => end(child))
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.on('data', (text) => String(text).includes('Ready to accept') && resolve(undefined))
  })
  return `redis://127.0.0.1:${port}`
}

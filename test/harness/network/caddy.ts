import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../run/wait.js'

/** Without it, tests that need it are skipped with a message, but never in CI. */
export const hasCaddy = spawnSync('caddy', ['version']).status === 0
if (!hasCaddy && process.env.CI === 'true') throw new Error('caddy is not installed')
if (!hasCaddy) process.stderr.write('Tests behind Caddy are skipped: caddy is not installed\n')

/** Runs Caddy with this configuration, and resolves with a function that ends it once the probe is answered. */
export async function startCaddy(caddyfile: string, probeUrl: string): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-caddy-'))
  const path = join(folder, 'Caddyfile')
  writeFileSync(path, `{\n admin off\n auto_https off\n}\n${caddyfile}`)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', path], {
    env: { PATH: process.env.PATH, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: 'ignore',
  })
  await waitFor('Caddy', () =>
    fetch(probeUrl).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return async () => {
    const gone = once(caddy, 'exit')
    caddy.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}

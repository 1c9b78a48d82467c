import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { end, startServer } from '../processes.mjs'
import { findFreePort } from './free-port.mjs'

const folder = fileURLToPath(new URL('../../.peers/', import.meta.url))
const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')

// With newer versions of the two below, which its ranges allow, its streams break off.
const manifest = {
  name: 'tallystick-peers',
  private: true,
  dependencies: { '@portkey-ai/gateway': '1.15.2', hono: '4.9.7', '@hono/node-server': '1.13.5' },
  overrides: { hono: '4.9.7', '@hono/node-server': '1.13.5' },
}

/**
 * Portkey's gateway, which forwards but neither limits nor records here: that part of it is not in the open version.
 * @param {string} upstream @param {import('../processes.mjs').Cleanup} cleanup
 * @returns {Promise<import('../contenders.mjs').Contender>}
 */
export async function startPortkey(upstream, cleanup) {
  await install()
  const port = await findFreePort()
  const { child, address } = startServer({
    name: 'Portkey',
    args: [program, `--port=${port}`, '--headless'],
    env: { NODE_ENV: 'production' },
    listening: /(http:\/\/\S+:\d+)/,
  })
  cleanup.add(() => end(child))
  await address
  return {
    name: 'portkey',
    pid: child.pid,
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: {
      authorization: 'Bearer sk-bench',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    },
  }
}

async function install() {
  const path = join(folder, 'package.json')
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  if (existsSync(program) && (await readFile(path, 'utf8')) === text) return
  console.error('installing Portkey into .peers/ …')
  await mkdir(folder, { recursive: true })
  await writeFile(path, text)
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
  })
}

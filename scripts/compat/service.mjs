import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../build/sources.mjs'

/** The built service, with the upstream as both of its providers. @param {string} upstreamUrl @param {object[]} mcpServers */
export async function startService(upstreamUrl, mcpServers = []) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallystick-compat-data-'))
  const config = join(dataDir, 'tallystick.yaml')
  const timeouts = { hangUpGraceMs: 500 }
  const providers = {
    openai: { type: 'openai', baseUrl: `${upstreamUrl}/v1`, apiKey: 'sk-of-the-service', timeouts },
    anthropic: { type: 'anthropic', baseUrl: upstreamUrl, apiKey: 'sk-ant-of-the-service', timeouts },
  }
  writeFileSync(config, JSON.stringify({ providers, mcpServers }))
  const child = spawn(process.execPath, [join(root, 'packages/service/dist/cli/index.js'), 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      TALLYSTICK_PORT: '0',
      TALLYSTICK_LOG_LEVEL: 'warn',
      TALLYSTICK_DATA_DIR: join(dataDir, 'data'),
      TALLYSTICK_CONFIG: config,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const { key, url } = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${printed}`)))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const [key] = /tallystick_sk_\w{40}/.exec(printed) ?? []
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? []
      if (key && url) resolve({ key, url })
    })
  })
  return {
    url,
    key,
    /** What is on record, newest first. */
    async calls() {
      /** @type {Record<string, unknown>[]} */
      const calls = []
      let cursor = ''
      do {
        const page = await fetch(`${url}/v1/calls?limit=200${cursor && `&cursor=${cursor}`}`, {
          headers: { authorization: `Bearer ${key}` },
        }).then((response) => response.json())
        calls.push(...page.data)
        cursor = page.nextCursor ?? ''
      } while (cursor !== '')
      return calls
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

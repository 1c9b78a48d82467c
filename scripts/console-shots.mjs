// Pictures of the console, from a service with the demo in it: those of the documentation in docs/images, and with --all every page
// (light, dark, narrow) below .cache/shots to be looked at. `npm run console:shots [-- --all]`
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../', import.meta.url))
const isAll = process.argv.includes('--all')
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Pages, and how they are opened. */
const shots = [
  { path: '/', name: 'overview' },
  { path: '/calls', name: 'calls' },
  { path: '/calls', name: 'call', open: '[role=row]', row: 2, shows: 'is in the record' },
  { path: '/usage', name: 'usage' },
  { path: '/keys', name: 'keys' },
  { path: '/budgets', name: 'budgets' },
  { path: '/policies', name: 'policies' },
  { path: '/prompts', name: 'prompts' },
  { path: '/people', name: 'people' },
  { path: '/providers', name: 'providers' },
  {
    path: '/providers?section=routes',
    name: 'routes',
    open: 'tbody tr',
    row: 1,
    shows: 'Health is reported per replica',
  },
  { path: '/providers?section=catalogue', name: 'catalogue' },
  { path: '/tools', name: 'tools' },
  { path: '/tools', name: 'tool', open: 'tbody tr', row: 2, shows: 'Changes (' },
  { path: '/webhooks', name: 'webhooks' },
  { path: '/compliance', name: 'compliance' },
  { path: '/audit', name: 'audit' },
  { path: '/playground', name: 'playground' },
  { path: '/settings', name: 'settings' },
]

/** Those that pages of the documentation show. */
const documented = [
  'overview',
  'calls',
  'call',
  'usage',
  'budgets',
  'policies',
  'providers',
  'tools',
  'compliance',
]

const dataDir = mkdtempSync(join(tmpdir(), 'tallystick-shots-'))
const { address, key, stop } = process.env.TALLYSTICK_URL
  ? { address: process.env.TALLYSTICK_URL, key: process.env.TALLYSTICK_KEY ?? '', stop: async () => {} }
  : await startDemo()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const wanted = shots.filter(({ name }) => only.length === 0 || only.includes(name))
  const shown = isAll ? wanted : wanted.filter(({ name }) => documented.includes(name))
  await takeAll(shown, { theme: 'light', width: 1440 })
  if (isAll) {
    await takeAll(wanted, { theme: 'dark', width: 1440 })
    await takeAll(wanted, { theme: 'light', width: 360 })
  }
} finally {
  await browser.close()
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** @param {typeof shots} wanted @param {{ theme: 'light' | 'dark', width: number }} look */
async function takeAll(wanted, { theme, width }) {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 780 : 900 },
    deviceScaleFactor: 1,
    colorScheme: theme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  await context.request.post(`${address}/v1/session`, {
    data: { key },
    headers: { origin: new URL(address).origin },
  })
  const page = await context.newPage()
  for (const { path, name, open, row = 0, shows = '' } of wanted) {
    await page.goto(address + path)
    await settled(page)
    if (open) {
      await page.locator(open).nth(row).click()
      await page.getByText(shows).first().waitFor()
      await settled(page)
    }
    const place = isAll
      ? join('.cache/shots', `${name}-${theme}-${width}.png`)
      : join('docs/images', `${name}-${theme}.png`)
    mkdirSync(dirname(join(root, place)), { recursive: true })
    await page.screenshot({ path: join(root, place), fullPage: isAll && width < 500 })
    console.log(place)
  }
  await context.close()
}

/** @param {import('playwright-core').Page} page */
async function settled(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.waitForFunction(
    () => document.querySelector('main') && !document.querySelector('[aria-busy=true], .skeleton'),
  )
  await page.evaluate(() => document.fonts.ready)
}

/** @returns {Promise<{ address: string, key: string, stop(): Promise<void> }>} */
async function startDemo() {
  const env = {
    ...process.env,
    TALLYSTICK_PORT: '0',
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_LOG_LEVEL: 'warn',
  }
  const child = spawn(
    process.execPath,
    [join(root, 'packages/service/dist/cli/index.js'), 'serve', '--demo'],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  const found = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service ended:\n${output}`)))
    child.stdout.on('data', (chunk) => {
      output += chunk
      const listens = /listens on (http:\/\/\S+)/.exec(output)?.[1]
      const demoKey = /Manager key of demo[^\n]*\n\s*(tallystick_sk_\w+)/.exec(output)?.[1]
      if (listens && demoKey) resolve({ address: listens, key: demoKey })
    })
  })
  return {
    ...found,
    async stop() {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

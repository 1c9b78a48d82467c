import { chromium } from 'playwright-core'

/** Every page of the console, with the longest time range that the picker offers where a page has one. */
export const pages = [
  '/',
  '/?range=30d',
  '/?range=90d',
  '/calls',
  '/calls?range=30d',
  '/calls?range=90d',
  '/usage',
  '/usage?range=90d',
  '/usage?range=90d&by=key&by=model&compare=true',
  '/keys',
  '/budgets',
  '/policies',
  '/prompts',
  '/people',
  '/people?section=teams',
  '/providers',
  '/providers?section=routes',
  '/providers?section=catalogue',
  '/tools',
  '/webhooks',
  '/compliance',
  '/audit',
  '/playground',
  '/settings',
]

/** Runs in the page. */
function isSettled() {
  const { document } = /** @type {any} */ (globalThis)
  return document.querySelector('main') && !document.querySelector('[aria-busy=true], .skeleton')
}

/**
 * What each page asks of the service, as the browser sends it.
 * @param {string} address @param {string} key @param {readonly string[]} paths @returns {Promise<Map<string, string[]>>}
 */
export async function findRequests(address, key, paths) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ timezoneId: process.env.TZ ?? 'UTC', locale: 'en-GB' })
    await context.request.post(`${address}/v1/session`, { data: { key }, headers: { origin: address } })
    const found = new Map()
    for (const path of paths) {
      const page = await context.newPage()
      const requests = new Set()
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        const isAnswered = request.method() === 'GET' && pathname !== '/v1/events/stream'
        if (pathname.startsWith('/v1/') && isAnswered) requests.add(pathname + search)
      })
      await page.goto(address + path)
      await page
        .waitForFunction(isSettled, undefined, { timeout: 60_000 })
        .catch(() => console.error(`${path} still loads after a minute`))
      await page.waitForTimeout(1_000)
      await page.close()
      found.set(path, [...requests])
    }
    return found
  } finally {
    await browser.close()
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { root } from '../harness/service/snippets.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { buildDocs } from './harness/docs.js'
import { type Visit, visit } from './harness/visit.js'

// The documentation as a service has it at /docs/, in a browser.

const test = anyTest.skipIf(chromiumPath === undefined)
const folder = join(root, 'packages/service/dist/docs')
let pages: string[]
let service: TestConsole
let reader: Visit
/** What was asked for and not received, or not from this service. */
const faults: string[] = []

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  await buildDocs()
  pages = readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .sort()
  service = await startConsole()
  reader = await visit({ address: service.address })
  reader.page.on('requestfailed', (request) => {
    // A page that was left no longer needs what it asked for ahead of time.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}`)
  })
  reader.page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`)
  })
  reader.page.on('request', (request) => {
    if (!request.url().startsWith(`${service.address}/`)) faults.push(`elsewhere: ${request.url()}`)
  })
})
afterAll(async () => {
  await reader?.close()
  await service?.stop()
})

async function open(path: string): Promise<Page> {
  await reader.page.goto(`${service.address}/docs/${path}`, { waitUntil: 'networkidle' })
  return reader.page
}

function expectNoFaults(): void {
  expect([...faults.splice(0), ...reader.complaints()]).toEqual([])
}

describe('the pages of the documentation', () => {
  test('link to pages and headings that exist', () => {
    const texts = new Map(pages.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
    const anchors = new Set<string>()
    for (const [path, text] of texts)
      for (const id of ['', ...[...text.matchAll(/ id="([^"]+)"/g)].map(([, name = '']) => `#${name}`)])
        anchors.add(`${path}${id}`)
    const broken = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, link = '']) => new URL(link, `http://here/docs/${path}`))
        .filter(({ host, pathname }) => host === 'here' && pathname !== '/docs/api/')
        .map(({ pathname, hash }) => decodeURI(`${pathname}${hash}`).replace(/\/(?=#|$)/, '/index.html'))
        .filter((link) => !/#(VPContent)?$/.test(link) && !anchors.has(link.replace('/docs/', '')))
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('open without a complaint, and fit a phone', async () => {
    await reader.page.setViewportSize({ width: 360, height: 780 })
    // Decisions are alike.
    const opened = pages.filter((path) => !/^decisions\/00(?!01)/.test(path))
    expect(opened.length).toBeGreaterThan(30)
    for (const path of opened) {
      const page = await open(path)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ path, overflow }).toEqual({ path, overflow: 0 })
      expectNoFaults()
    }
    await reader.page.setViewportSize({ width: 1440, height: 900 })
  })

  test('are found by a search, which asks no other server', async () => {
    const page = await open('start/quickstart.html')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('budget')
    await page.locator('.results a', { hasText: /^\W*Budgets\W*$/ }).click()
    await page.waitForURL(/\/docs\/manage\/budgets\.html/)
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor()
    expectNoFaults()
  })

  test('link to each other without a page load, and to the API reference', async () => {
    const page = await open('')
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    await page.getByRole('complementary').getByRole('link', { name: 'Policies' }).click()
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor()
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    await page.getByRole('link', { name: 'API reference' }).first().click()
    await page.waitForURL(`${service.address}/docs/api/`)
    await page.getByRole('link', { name: 'Powered by Scalar' }).first().waitFor()
    expectNoFaults()
  })

  test('are light or dark, as the reader chooses', async () => {
    const page = await open('')
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.getByRole('switch').first().click()
    await expect.poll(ground).not.toBe(light)
    await page.getByRole('switch').first().click()
    await expect.poll(ground).toBe(light)
    expectNoFaults()
  })
})

describe('the server of the documentation', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.address}${path}`, { redirect: 'manual', headers })

  test('has a page for addresses that do not exist, and none for files that do not', async () => {
    const page = await get('/docs/nowhere')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const file = await get('/docs/assets/nowhere.js')
    expect([file.status, file.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    for (const path of ['/docs/..%2fcli/index.js', '/docs/.build.json', '/docs/assets/../../cli/index.js'])
      expect((await get(path)).status).toBe(404)
  })

  test('sends a page again only when it changed, and a file with a hash in its name once', async () => {
    const page = await get('/docs/manage/budgets')
    const [etag = '', cacheControl] = ['etag', 'cache-control'].map((name) => page.headers.get(name) ?? '')
    expect(cacheControl).toBe('no-cache')
    expect((await get('/docs/manage/budgets', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/docs/manage/budgets', { 'if-none-match': '"other"' })).status).toBe(200)
    const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? []
    const { headers } = await get(script)
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('content-encoding')).toBe('gzip')
  })

  test('allows the inline scripts of a page by their hashes, and no inline styles', async () => {
    const policy = (await get('/docs/')).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/)
    expect(policy).not.toContain('unsafe')
  })
})

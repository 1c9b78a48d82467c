import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { startOidcIssuer } from '../harness/access/oidc-issuer.js'
import { describeObject, openWorkspace } from '../harness/declarative/command.js'
import { hasCaddy, startCaddy } from '../harness/network/caddy.js'
import { findFreePort } from '../harness/processes/redis.js'
import { snippets } from '../harness/service/snippets.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { buildDocs } from './harness/docs.js'
import { settled, type Visit, visit } from './harness/visit.js'

// A service below a path of another host, behind Caddy with the configuration that the documentation prints.

const test = anyTest.skipIf(chromiumPath === undefined || !hasCaddy)
const prefix = '/tallystick'
const closing: (() => unknown)[] = []

let service: TestConsole
/** Where users open it: the proxy, with the path. */
let address: string
let visitor: Visit
/** What was asked for and refused, or asked for outside the path. */
const faults: string[] = []

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined || !hasCaddy) return
  await buildDocs()
  const issuer = await startOidcIssuer(prefix)
  issuer.person = { sub: 'subject-1', email: 'ada@example.com', email_verified: true, name: 'Ada' }
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-prefix-'))
  const oidc = {
    issuer: issuer.issuer,
    clientId: issuer.clientId,
    name: 'SSO',
    allowedDomains: ['example.com'],
  }
  await writeFile(join(folder, 'tallystick.yaml'), JSON.stringify({ oidc }))
  const origin = `http://127.0.0.1:${await findFreePort()}`
  address = `${origin}${prefix}`
  service = await startConsole(
    {
      TALLYSTICK_PUBLIC_URL: `${address}/`,
      TALLYSTICK_TRUSTED_PROXIES: '127.0.0.1',
      TALLYSTICK_OIDC_CLIENT_SECRET: issuer.clientSecret,
    },
    folder,
  )
  const block = snippets.find(({ page, code }) => page.endsWith('network.md') && code.includes('handle_path'))
  const caddyfile = (block?.code ?? '')
    .replace('ai.example.com', origin)
    .replace('127.0.0.1:7070', new URL(service.address).host)
  const endCaddy = await startCaddy(caddyfile, `${address}/readyz`)
  visitor = await visit({ address })
  visitor.page.on('response', (response) => {
    // The console asks for the session before the sign-in, and gets 401.
    const isAsking = response.status() === 401 && response.url().endsWith('/v1/session')
    if (response.status() >= 400 && !isAsking) faults.push(`${response.status()}: ${response.url()}`)
  })
  visitor.page.on('request', (request) => {
    if (request.url().startsWith(`${origin}/`) && !request.url().startsWith(`${address}/`))
      faults.push(`outside the path: ${request.url()}`)
  })
  closing.push(
    () => rm(folder, { recursive: true, force: true }),
    () => issuer.stop(),
    () => service.stop(),
    endCaddy,
    () => visitor.close(),
  )
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const expectNoFaults = () => expect(faults.splice(0)).toEqual([])

describe('below a path of another host', () => {
  test('the console signs a person in, shows its pages and receives events', async () => {
    const { page } = visitor
    await page.goto(`${address}/keys`)
    await page.getByLabel('Key', { exact: true }).fill(service.managerKey)
    const stream = page.waitForResponse(`${address}/v1/events/stream`)
    await page.getByRole('button', { name: 'Sign in with a key' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    expect((await stream).status()).toBe(200)
    for (const name of ['Calls', 'Budgets', 'Usage']) {
      await page.getByRole('link', { name, exact: true }).first().click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await settled(page)
      expect(new URL(page.url()).pathname).toBe(`${prefix}/${name.toLowerCase()}`)
    }
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: 'tallystick_session', path: `${prefix}/v1` })
    expectNoFaults()
  })

  test('a person signs in by OpenID Connect', async () => {
    const { page } = visitor
    await page.context().clearCookies()
    await page.goto(`${address}/budgets`)
    await page.getByRole('link', { name: 'Continue with SSO' }).click()
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor()
    await page.getByText('ada@example.com').first().waitFor()
    expectNoFaults()
  })

  test('the documentation has its files, its links and its search', async () => {
    const { page } = visitor
    await page.goto(`${address}/docs/manage/console.html`, { waitUntil: 'networkidle' })
    expect(
      await page
        .locator('main img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).not.toBe(0)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('budget')
    await page.locator('.results a', { hasText: /^\W*Budgets\W*$/ }).click()
    await page.waitForURL(`${address}/docs/manage/budgets.html**`)
    await page.getByRole('link', { name: 'API reference' }).first().click()
    await page.waitForURL(`${address}/docs/api/`)
    await page.getByText('Virtual keys and their limits').first().waitFor()
    for (const path of ['/docs', '/docs/api']) {
      await page.goto(`${address}${path}`)
      expect(page.url()).toBe(`${address}/docs/api/`)
    }
    expectNoFaults()
  })

  test("OpenAI's SDK and the command line take the path as their base URL", async () => {
    const openai = new OpenAI({ baseURL: `${address}/v1`, apiKey: service.managerKey, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const stream = await openai.chat.completions.create({ model: 'mock/echo', messages, stream: true })
    let text = ''
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
    expect(text).toContain('Hello')
    const workspace = openWorkspace({ address: `${address}/`, managerKey: service.managerKey })
    closing.push(() => workspace.close())
    workspace.write('key.yaml', [describeObject('Budget', 'all', { amountUsd: 10 })])
    expect(await workspace.apply()).toMatchObject({ exitCode: 0 })
  })

  test('the OpenAPI document says where the service is, and links of pages lead on', async () => {
    const document = await (await fetch(`${address}/openapi.json`)).json()
    expect(document.servers).toEqual([{ url: prefix, description: 'This server' }])
    const headers = { authorization: `Bearer ${service.managerKey}` }
    const first = await fetch(`${address}/v1/calls?limit=1`, { headers })
    const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? []
    if (next !== '') expect((await fetch(new URL(next, first.url), { headers })).status).toBe(200)
    expect((await fetch(`${address}/metrics`)).status).toBe(404)
    expect((await fetch(`${address}${prefix}/metrics`)).status).toBe(404)
  })

  test('a load balancer may leave the path in the request', async () => {
    for (const path of ['', '/', '/keys', '/readyz', '/docs/', '/v1/models?limit=1']) {
      const headers = { authorization: `Bearer ${service.managerKey}` }
      expect({
        path,
        status: (await fetch(`${service.address}${prefix}${path}`, { headers })).status,
      }).toEqual({ path, status: 200 })
    }
    expect((await fetch(`${service.address}${prefix}-other/readyz`)).status).toBe(404)
  })
})

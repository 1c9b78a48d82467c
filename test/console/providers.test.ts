import type { Page } from 'playwright-core'
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from 'vitest'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { chatAnswer } from '../harness/providers/vendor-answers.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { accessibilityFaults, said, settled, type Visit, visit } from './harness/visit.js'

// What may be called, by a person's hand: a provider is added, tested and routed to, and its credential replaced.

const test = anyTest.skipIf(chromiumPath === undefined)

let tally: TestConsole
let upstream: Upstream
let visitors: Visit[] = []
/** The credentials that the vendor knows. */
const valid = new Set(['sk-old-0123456789'])

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  tally = await startConsole()
  upstream = await startUpstream(({ path, headers }, response) => {
    if (!valid.has(String(headers.authorization).replace('Bearer ', '')))
      return sendJson(response, 401, { error: { message: 'wrong key', type: 'invalid_request_error' } })
    if (path.endsWith('/models')) return sendJson(response, 200, { object: 'list', data: [] })
    if (path.startsWith('/down/')) return sendJson(response, 503, { error: { message: 'overloaded' } })
    sendJson(response, 200, chatAnswer({ content: 'Hello, tally!' }))
  })
})
afterAll(async () => {
  await tally?.stop()
  await upstream?.close()
})
afterEach(async () => {
  const complaints = visitors.flatMap((visitor) => visitor.complaints())
  await Promise.all(visitors.map((visitor) => visitor.close()))
  visitors = []
  // A refusal is written down by the browser, and shown by the page.
  expect(complaints.filter((each) => !each.includes('status of 400'))).toEqual([])
})

async function open(path: string, key = tally.managerKey, width = 1440): Promise<Page> {
  const visitor = await visit({ address: tally.address, key, width })
  visitors.push(visitor)
  await visitor.page.goto(`${tally.address}${path}`)
  return visitor.page
}

const addProvider = async (page: Page, { name, baseUrl }: { name: string; baseUrl: string }) => {
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel(/^Base URL/).fill(baseUrl)
  await page.getByLabel('Credential name').fill('first')
  await page.getByLabel('Value', { exact: true }).fill('sk-old-0123456789')
  await page.getByRole('button', { name: 'Add provider' }).click()
  await said(page, `Provider “${name}” added`)
}

test('a provider is added and tested, a route leads to it, and a call through it shows its attempts', async () => {
  const page = await open('/providers')
  await addProvider(page, { name: 'broken', baseUrl: `${upstream.url}/down/v1` })
  await page.keyboard.press('Escape')
  await addProvider(page, { name: 'working', baseUrl: `${upstream.url}/up/v1` })
  // It is open at the side.
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Test', exact: true }).click()
  await panel.getByText('Reachable, and accepts every credential').waitFor()
  expect(await page.content()).not.toContain('sk-old-0123456789')

  await page.goto(`${tally.address}/providers?section=routes`)
  await page.getByRole('button', { name: 'New route' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('smart')
  await page.getByLabel('Model of target 1').fill('broken/gpt-4o-mini')
  await page.getByLabel('Model of target 2').fill('working/gpt-4o-minni')
  await page.getByRole('button', { name: 'Create route' }).click()
  // What is wrong stands beside the row that is wrong.
  await page.getByLabel('Model of target 2').and(page.locator('[aria-invalid=true]')).waitFor()
  await page.getByLabel('Model of target 2').fill('working/gpt-4o-mini')
  await page.getByLabel('Endpoint of target 2').click()
  await page.getByRole('option', { name: 'only chat', exact: true }).click()
  await page.getByRole('button', { name: 'Create route' }).click()
  await said(page, 'Route “smart” created')
  await page
    .getByRole('dialog')
    .getByRole('list', { name: 'Targets' })
    .getByText('working/gpt-4o-mini')
    .waitFor()
  await page.getByRole('dialog').getByText('only chat').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])

  const { status, headers } = await tally.api.post('/v1/chat/completions', {
    model: 'smart',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect(status).toBe(200)
  await page.goto(`${tally.address}/calls?call=${headers.get('x-tallystick-request-id')}`)
  const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  await attempts.nth(1).waitFor()
  expect(await attempts.allTextContents()).toMatchObject([
    expect.stringMatching(/broken\/gpt-4o-mini.*provider failed, 503/),
    expect.stringMatching(/working\/gpt-4o-mini.*ok/),
  ])
  // The receipt of a further attempt has an id of its own, and proves what the page shows.
  await page.getByText(/Receipt [\d,]+ is in the record/).waitFor()

  // The route leads to its other calls.
  await page.getByRole('dialog').getByRole('link', { name: 'smart', exact: true }).click()
  await page.waitForURL(/route=smart/)
  await page.getByRole('button', { name: 'Remove the filter Route smart' }).waitFor()

  // Each number leads to the calls that it counts.
  await page.goto(`${tally.address}/providers`)
  await page
    .getByRole('row', { name: /broken/ })
    .getByRole('link', { name: '1' })
    .nth(1)
    .click()
  await page.waitForURL(/outcome=upstream_error/)
})

test('how large answers may be is set in MiB, and what cannot be is said beside the field', async () => {
  const page = await open('/providers')
  await page
    .getByRole('row', { name: /working/ })
    .getByText('working')
    .click()
  await page.getByRole('dialog').getByText('512 MiB per stream, 128 MiB per other response').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('Endpoints, headers, timeouts and sizes').click()
  await page.getByLabel('Maximum stream size (MiB)').fill('0.5')
  const answer = page.getByLabel('Maximum response size (MiB)')
  await answer.fill('129')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a number from 0.001 to 128', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await answer.and(page.locator('[aria-invalid=true]')).waitFor()
  // Empty is the usual.
  await answer.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await said(page, 'Provider “working” saved')
  const { body } = await tally.api.get('/v1/providers?limit=100')
  const changed = body.data.find(({ name }: { name: string }) => name === 'working')
  expect(changed.limits).toEqual({ maxStreamBytes: 524_288, maxAnswerBytes: 134_217_728 })
})

test('a credential is rotated without a call that fails', async () => {
  valid.add('sk-new-9876543210')
  const page = await open('/providers')
  await page
    .getByRole('row', { name: /working/ })
    .getByText('working')
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Actions for first' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await panel.getByLabel('Credential name').fill('second')
  await panel.getByLabel('Value', { exact: true }).fill('sk-new-9876543210')
  await panel.getByRole('button', { name: 'Add credential' }).click()
  await panel.getByRole('button', { name: 'Test both' }).click()
  await panel.getByRole('button', { name: 'Remove first' }).click()
  await page.getByText('Its calls go to the other credential; no call fails.').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await panel.getByText('Done: only second is used.').waitFor()
  valid.delete('sk-old-0123456789')
  const seen = upstream.seen.length
  const { status } = await tally.api.post('/v1/chat/completions', {
    model: 'working/gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect(status).toBe(200)
  expect(upstream.seen.slice(seen).map(({ headers }) => headers.authorization)).toEqual([
    'Bearer sk-new-9876543210',
  ])
})

test('a credential that is refused is told of where decisions are, and a price of one’s own is set', async () => {
  const page = await open('/providers')
  await page
    .getByRole('row', { name: /broken/ })
    .getByText('broken')
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Test', exact: true }).click()
  await panel.getByText('rejected', { exact: true }).first().waitFor()
  await page.goto(tally.address)
  await page.getByText('A credential of broken is rejected').waitFor()

  await page.goto(`${tally.address}/providers?section=catalogue&of=working&filter=gpt-4o-mini`)
  await page
    .getByRole('row', { name: /working\/gpt-4o-mini/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Set your own price' }).click()
  await page.getByLabel('Input (USD)', { exact: true }).fill('3.5')
  await page.getByText('Audio, images, fees, tiers, long inputs').click()
  await page.getByRole('button', { name: 'Add a fee' }).click()
  const fees = await page.getByLabel(/^Name of fee \d+$/).count()
  await page.getByLabel(`Name of fee ${fees}`).fill('web_search')
  await page.getByLabel(`USD of fee ${fees}`).fill('0.02')
  await page.getByRole('button', { name: 'Add a tier' }).click()
  const tiers = await page.getByLabel(/^Name of tier \d+$/).count()
  await page.getByLabel(`Name of tier ${tiers}`).fill('night')
  await page.getByRole('button', { name: 'Save price' }).click()
  // A tier needs a factor or rates.
  await page.getByText('must have a factor, or inputUsdPerMTok and outputUsdPerMTok').first().waitFor()
  await page.getByLabel(`Factor of tier ${tiers}`).fill('0.25')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save price' }).click()
  await said(page, 'Price of gpt-4o-mini saved')
  await page.getByRole('dialog').getByText('$3.50').waitFor()
  const { body: priced } = await tally.api.get('/v1/catalogue?provider=working&q=working/gpt-4o-mini&limit=1')
  expect(priced.data[0]).toMatchObject({
    source: 'tenant',
    price: { inputUsdPerMTok: 3.5, feesUsd: { web_search: 0.02 }, tiers: { night: { factor: 0.25 } } },
  })

  await page.getByRole('button', { name: 'Edit price' }).click()
  await page.getByLabel(/^Free: calls cost nothing/).check()
  await page.getByRole('button', { name: 'Save price' }).click()
  await said(page, 'Price of gpt-4o-mini saved')
  await page.getByRole('dialog').getByText('$3.50').waitFor({ state: 'detached' })
})

test('an auditor reads and changes nothing; a member is told whose page it is', async () => {
  const { body: auditor } = await tally.api.post('/v1/keys', { name: 'auditor', role: 'auditor' })
  const page = await open('/providers', auditor.key)
  await page
    .getByRole('row', { name: /working/ })
    .getByText('working')
    .click()
  await page.getByRole('dialog').getByText('second').waitFor()
  await settled(page)
  for (const name of ['Add a provider', 'Test', 'Edit', 'Add a credential'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  const { body: member } = await tally.api.post('/v1/keys', { name: 'member', role: 'member' })
  const theirs = await open('/providers', member.key)
  await theirs.getByText('Providers are for managers and auditors').waitFor()
  expect(await theirs.getByRole('navigation', { name: 'Pages' }).getByText('Providers').count()).toBe(0)
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from 'vitest'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { said, settled, type Visit, visit } from './harness/visit.js'

// What people come for, by a person's hand: only what is on the page is clicked and typed.

const test = anyTest.skipIf(chromiumPath === undefined)

let tally: TestConsole
let visitors: Visit[] = []

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath !== undefined) tally = await startConsole()
})
afterAll(() => tally?.stop())
afterEach(async () => {
  // Who is not signed in is told so, and the browser writes that down.
  const isAsking = (complaint: string) => complaint.includes('401') && complaint.includes('/v1/session)')
  const complaints = visitors.flatMap((visitor) => visitor.complaints()).filter((each) => !isAsking(each))
  await Promise.all(visitors.map((visitor) => visitor.close()))
  visitors = []
  expect(complaints).toEqual([])
})

async function open(path: string, key?: string) {
  const visitor = await visit({ address: tally.address, ...(key !== undefined && { key }) })
  visitors.push(visitor)
  await visitor.page.goto(`${tally.address}${path}`)
  return visitor.page
}

const chat = (key: string, content = 'Hello', model = 'mock/echo') =>
  tally.as(key).post('/v1/chat/completions', { model, messages: [{ role: 'user', content }] })

test('the key is typed in once, is in no storage of the page, and the way back leads to where one wanted to go', async () => {
  const page = await open('/keys?filter=first')
  await page.getByLabel('Key', { exact: true }).fill(tally.managerKey)
  await page.getByRole('button', { name: 'Sign in with a key' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  expect(new URL(page.url()).search).toContain('filter=first')
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  )
  expect(stored).not.toContain('tallystick_s')
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([{ name: 'tallystick_session', httpOnly: true, sameSite: 'Strict' }])
})

test('a key is made, used and revoked', async () => {
  const page = await open('/keys', tally.managerKey)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await page.locator('[data-secret]').textContent()) ?? ''
  expect(value).toMatch(/^tallystick_sk_\w{40}$/)
  expect((await chat(value)).status).toBe(200)
  // It shows up while the dialog is open.
  await page.getByRole('status').getByRole('link', { name: 'ok' }).waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  expect(await page.content()).not.toContain(value)
  await page.getByRole('row', { name: /ci/ }).first().click()
  await page.getByRole('button', { name: 'Revoke' }).first().click()
  await page.getByText('in the last day will start to fail').waitFor()
  await page.getByRole('button', { name: /^Revoke: 1 call a day will fail$/ }).click()
  await said(page, 'Key “ci” revoked')
  expect((await chat(value)).status).toBe(401)
})

test('a budget is reached, more is asked for and granted, and the call passes', async () => {
  await tally.api.post('/v1/team/members', { userId: 'lin', name: 'Lin', role: 'member' })
  const { body: key } = await tally.api.post('/v1/keys', { name: 'lin laptop', userId: 'lin' })
  // What a call with the mock model reserves at most is more than this.
  const scope = { type: 'user', id: 'lin' }
  const { body: budget } = await tally.api.post('/v1/budgets', {
    name: 'Lin',
    scope,
    amountUsd: 0.000001,
    period: 'monthly',
  })
  expect(budget.id).toBeTruthy()
  expect((await chat(key.key)).status).toBe(402)

  const member = await open('/budgets', key.key)
  await member.getByRole('link', { name: 'Lin', exact: true }).click()
  await member.getByRole('button', { name: 'Request increase' }).click()
  await member.getByLabel('Increase (USD)').fill('5')
  await member.getByLabel('Reason').fill('The backfill of March')
  await member.getByRole('button', { name: 'Send request' }).click()
  await said(member, 'Requested $5.00 more')

  const manager = await open('/budgets', tally.managerKey)
  await manager.getByText('The backfill of March').first().waitFor()
  await manager
    .getByRole('button', { name: /^(Approve|Grant)/ })
    .first()
    .click()
  await manager.getByRole('button', { name: 'Grant $5.00' }).click()
  await said(manager, 'Granted $5.00')
  expect((await chat(key.key)).status).toBe(200)
})

test('a policy is written on the bench, saved, and blocks', async () => {
  const page = await open('/policies', tally.managerKey)
  await page.getByRole('button', { name: 'New policy' }).first().click()
  await page.getByRole('link', { name: /^Keywords/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Unannounced')
  await page.getByLabel(/^Words or phrases/).fill('nightfall seven')
  await page.getByLabel('Action', { exact: true }).click()
  await page.getByRole('option', { name: 'Block' }).click()
  await page.getByLabel('Text to test').fill('Tell me of Nightfall Seven, please')
  await page.getByText('The request would be blocked').waitFor()
  await page.getByRole('button', { name: 'Create policy' }).click()
  await page.waitForURL(/policy=pol_/)
  expect((await chat(tally.managerKey, 'What about nightfall seven?')).status).toBe(403)
  expect((await chat(tally.managerKey, 'What about the weather?')).status).toBe(200)
})

test('a call is found by its id, and its receipt is verified in the browser', async () => {
  const { headers } = await chat(tally.managerKey, 'Count me')
  const id = headers.get('x-tallystick-request-id') ?? ''
  const page = await open('/', tally.managerKey)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill(id)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog')
  await panel.getByText(/Receipt [\d,]+ is in the record/).waitFor()
  await panel
    .getByText(/Verified in this browser/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('an export is accepted as it is, and caught when one figure was changed', async () => {
  const response = await fetch(`${tally.address}/v1/compliance/export`, {
    headers: { authorization: `Bearer ${tally.managerKey}` },
  })
  const text = await response.text()
  const tampered = text.replace(/(outputTokens\\?":)(\d+)/, (_, name, count) => `${name}${Number(count) + 1}`)
  expect(tampered).not.toBe(text)
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-export-'))
  for (const [name, contents] of [
    ['true.jsonl', text],
    ['false.jsonl', tampered],
  ] as const)
    await writeFile(join(folder, name), contents)
  const page = await open('/compliance', tally.managerKey)
  await settled(page)
  const requests: string[] = []
  page.on('request', (request) => void (request.method() === 'GET' || requests.push(request.url())))
  await page.locator('input[type=file]').setInputFiles(join(folder, 'true.jsonl'))
  await page.getByText('Verified: the halves match').first().waitFor()
  await page.locator('input[type=file]').setInputFiles(join(folder, 'false.jsonl'))
  await page.getByText('Verified: the halves match').first().waitFor({ state: 'detached' })
  await page
    .getByText(/^Error at entry/)
    .first()
    .waitFor()
  expect(requests).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

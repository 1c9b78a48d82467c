import { afterEach, test as anyTest, expect } from 'vitest'
import { waitFor } from '../harness/run/wait.js'
import { bucket, keys, startObjectStore } from '../harness/sinks/object-store.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole } from './harness/console.js'
import { said, settled, visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)

let closing: (() => Promise<unknown>)[] = []

closeBrowserAfterwards()
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

async function begin() {
  const tally = await startConsole()
  closing.push(() => tally.stop())
  return tally
}

async function open(address: string, path: string, key: string) {
  const visitor = await visit({ address, key })
  closing.push(() => visitor.close())
  await visitor.page.goto(address + path)
  return visitor
}

test('a sink is created, tested, fails, is corrected, disabled and deleted', async () => {
  const store = await startObjectStore()
  closing.push(() => store.close())
  const tally = await begin()
  const { page, complaints } = await open(tally.address, '/sinks', tally.managerKey)
  await page.getByRole('button', { name: 'New sink' }).click()
  await page.getByLabel('Name', { exact: true }).fill('lake')
  await page.getByLabel('Interval (seconds)').fill('1')
  await page.getByLabel('Endpoint').fill(store.url)
  await page.getByLabel('Bucket').fill(bucket)
  await page.getByLabel('Access key ID').fill(keys.accessKeyId)
  await page.getByLabel('Secret access key').fill('wrong')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create sink' }).click()
  await dialog.getByText('is required').waitFor()
  await page.getByLabel('Region').fill('eu-central-1')
  await dialog.getByRole('button', { name: 'Create sink' }).click()

  const panel = page.getByRole('dialog', { name: 'lake' })
  await panel.getByRole('button', { name: 'Send a test' }).click()
  await panel.getByText('The receiver answered 403 (SignatureDoesNotMatch)').first().waitFor()
  await tally.api.post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'Hi' }],
  })
  await page.getByText(/lake is failing: The receiver answered 403/).waitFor()

  await panel.getByRole('button', { name: 'Edit' }).click()
  const secret = page.getByLabel('Secret access key')
  expect(await secret.inputValue()).toBe('')
  await secret.fill(keys.secretAccessKey)
  await page.getByRole('button', { name: 'Save' }).click()
  await said(page, 'Sink “lake” saved')
  await panel.getByRole('button', { name: 'Send a test' }).click()
  await panel.getByText('Test delivered').waitFor()
  await panel.getByText('working').waitFor()
  await page.getByText('1 sink is enabled and not failing').waitFor()
  expect((await store.rows()).length).toBeGreaterThan(0)

  await panel.getByRole('button', { name: 'Disable' }).click()
  await said(page, 'lake is disabled')
  await panel.getByRole('button', { name: 'Enable' }).waitFor()
  await panel.getByRole('button', { name: 'More …' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete sink' }).click()
  await said(page, 'Sink “lake” deleted')
  await page.getByText('No sinks yet').waitFor()
  expect((await tally.api.get('/v1/sinks')).body.data).toEqual([])
  await page.goto(`${tally.address}/audit?action=sink.*`)
  await page.getByText('deleted').first().waitFor()
  expect(complaints()).toEqual([])
})

test('data for a SIEM offers syslog, and an auditor sees the sink without its buttons', async () => {
  const tally = await begin()
  const { page } = await open(tally.address, '/sinks', tally.managerKey)
  await page.getByRole('button', { name: 'New sink' }).click()
  await page.getByLabel('Name', { exact: true }).fill('siem')
  await page.getByLabel('Data', { exact: true }).click()
  await page.getByRole('option', { name: 'Audit log' }).click()
  await page.getByLabel('Destination').click()
  await page.getByRole('option', { name: 'HTTP endpoint' }).click()
  await page.getByLabel('URL').fill('http://127.0.0.1:9/')
  await page.getByLabel('Headers').fill('Authorization: Bearer secret-1\nx-team: two')
  await page.getByRole('button', { name: 'Create sink' }).click()
  await page.getByRole('dialog', { name: 'siem' }).getByText('authorization, x-team').waitFor()
  const { body } = await tally.api.get('/v1/sinks')
  expect(body.data).toMatchObject([{ data: 'audit', format: 'ocsf', destination: { type: 'http' } }])
  expect(await page.content()).not.toContain('secret-1')

  const { body: auditor } = await tally.api.post('/v1/keys', { name: 'reads', role: 'auditor' })
  const other = await open(tally.address, `/sinks?sink=${body.data[0].id}`, auditor.key)
  await other.page.getByRole('dialog', { name: 'siem' }).getByText('HTTP endpoint').waitFor()
  await settled(other.page)
  for (const name of ['New sink', 'Send a test', 'Edit', 'Disable'])
    expect(await other.page.getByRole('button', { name }).count(), name).toBe(0)
  await waitFor('the sink to fail', async () =>
    (await tally.api.get('/v1/sinks')).body.data.some(
      (sink: { state: { lastError: string | null } }) => sink.state.lastError,
    ),
  )
  await other.page.getByText(/siem is failing/).waitFor()
})

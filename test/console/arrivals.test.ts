import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test as anyTest, expect } from 'vitest'
import { startOidcIssuer } from '../harness/access/oidc-issuer.js'
import { startUpstream } from '../harness/providers/upstream.js'
import { waitFor } from '../harness/run/wait.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { said, type Visit, visit } from './harness/visit.js'

// What comes from elsewhere while somebody looks: a first call, a delivery, a person of an issuer.

const test = anyTest.skipIf(chromiumPath === undefined)

let closing: (() => Promise<unknown>)[] = []

closeBrowserAfterwards()
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

async function begin(env?: Record<string, string>, cwd?: string): Promise<TestConsole> {
  const tally = await startConsole(env, cwd)
  closing.push(() => tally.stop())
  return tally
}

async function open(tally: TestConsole, path: string, key?: string): Promise<Visit> {
  const visitor = await visit({ address: tally.address, ...(key !== undefined && { key }) })
  closing.push(() => visitor.close())
  await visitor.page.goto(`${tally.address}${path}`)
  return visitor
}

test('a first visit leads from a key to a call whose receipt is verified', async () => {
  const tally = await begin()
  const { page, complaints } = await open(tally, '/', tally.managerKey)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.locator('[data-secret]').waitFor()
  await page.getByRole('button', { name: 'Or make this call from the browser' }).click()
  await page.getByText('Your first call is').waitFor()
  await page.getByText(/Receipt [\d,]+ is in the record/).waitFor()
  expect(complaints()).toEqual([])
})

test('a webhook is made and tested, fails, and is sent again', async () => {
  const tally = await begin()
  const receiver = await startUpstream((_, response) => void response.writeHead(500).end())
  closing.push(() => receiver.close())
  const { page } = await open(tally, '/webhooks', tally.managerKey)
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('on-call')
  await page.getByLabel('URL').fill(`${receiver.url}/hook`)
  await page.getByLabel(/A policy or an allow list blocks a call/).check()
  await page.getByLabel('Maximum attempts').fill('1')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(/500/).first().waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  const config = { words: ['nightfall'] }
  await tally.api.post('/v1/policies', { name: 'Words', kind: 'keywords', config, action: 'block' })
  await tally.api.post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'nightfall' }],
  })
  const { body } = await tally.api.get('/v1/webhook-endpoints')
  const path = `/v1/webhook-endpoints/${body.data[0].id}/deliveries?status=dead`
  // The test, and the blocked call.
  await waitFor(
    'both deliveries to be given up',
    async () => (await tally.api.get(path)).body.data.length === 2,
  )
  receiver.answerWith((_, response) => void response.writeHead(204).end())

  await page.reload()
  await page.getByRole('row', { name: /on-call/ }).click()
  await page
    .getByRole('button', { name: /failed/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Resend' }).click()
  await waitFor('the delivery to arrive', () =>
    receiver.seen.some(
      ({ body }) => body?.type === 'policy.violation' || JSON.stringify(body).includes('policy.violation'),
    ),
  )
  await said(page, 'Delivery resent')
})

test('a person signs in by OpenID Connect, and is out when suspended in the middle', async () => {
  const issuer = await startOidcIssuer()
  closing.push(() => issuer.stop())
  issuer.person = { sub: 'subject-1', email: 'ada@example.com', email_verified: true, name: 'Ada' }
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-oidc-console-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const oidc = {
    issuer: issuer.issuer,
    clientId: issuer.clientId,
    name: 'Test SSO',
    allowedDomains: ['example.com'],
  }
  await writeFile(join(folder, 'tallystick.yaml'), JSON.stringify({ oidc }))
  const tally = await begin({ TALLYSTICK_OIDC_CLIENT_SECRET: issuer.clientSecret }, folder)
  const { page } = await open(tally, '/budgets')
  await page.getByRole('link', { name: 'Continue with Test SSO' }).click()
  await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor()
  await page.getByText('ada@example.com').first().waitFor()

  const { body } = await tally.api.get('/v1/team/members')
  const [ada] = body.data.filter(({ email }: { email: string | null }) => email === 'ada@example.com')
  await tally.api.patch(`/v1/user-limits/${ada.userId}`, { status: 'suspended' })
  await page.getByRole('link', { name: 'Calls' }).click()
  await page.getByText('Sign in to Tallystick').waitFor()
  await page.getByRole('link', { name: 'Continue with Test SSO' }).click()
  await page
    .getByText(/suspended/i)
    .first()
    .waitFor()
})

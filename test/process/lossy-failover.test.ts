import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { masterKey } from '../harness/processes/master-key.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { startUpstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { hasPromtool, listFiringAlerts } from '../harness/reporting/firing-alerts.js'
import { readMetrics } from '../harness/reporting/metrics.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'
import { makeGate } from '../harness/service/gateway.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const managerKey = `tallystick_sk_${'f'.repeat(40)}`

test('after a failover that lost commits, the probes say whose record is refused, and once it is accepted a live process settles the calls that were open', async () => {
  const gate = makeGate()
  const upstream = await startUpstream(async (request, response) => {
    await gate.passed
    answerChat(request, response)
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-failover-'))
  const database = await createTestDatabase()
  const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir, TALLYSTICK_MASTER_KEY: masterKey }
  const service = await startServiceProcess({
    ...env,
    ...{ TALLYSTICK_BOOTSTRAP_KEY: managerKey },
    ...{ OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: `${upstream.url}/v1` },
  })
  try {
    const api = createApi(service.address, managerKey)
    const readBudget = async () => (await api.get(`/v1/budgets/${budget.id}`)).body
    const { body: budget } = await api.post('/v1/budgets', {
      ...{ name: 'All', scope: { type: 'tenant' }, amountUsd: 5, period: 'monthly' },
    })
    const underWay = api.post('/v1/chat/completions', chatCall(false))
    const isOpen = async () => (await database.query('select from open_calls')).length === 1
    await waitFor('the call to be under way', isOpen)
    // What the standby has.
    const standby = await database.copy()
    await waitFor('the primary again', async () => (await api.get('/readyz')).status === 200)
    gate.open()
    const { headers } = await underWay
    expect(headers.get('x-tallystick-receipt')).toBeTruthy()
    expect(await database.query('select from open_calls')).toEqual([])

    await database.failOverTo(standby)
    const { body } = await waitFor('the loss to be noticed', async () => {
      const answer = await api.get('/readyz')
      return answer.body.checks.record.cause === 'record_refused' && answer.status === 200 && answer
    })
    expect(body.status).toBe('degraded')
    expect(body.checks.record.message).toMatch(
      /was restored to an earlier moment.*tallystick record accept-restore/,
    )
    const [tenant] = await database.query<{ id: string }>('select id from tenants')
    const metrics = await readMetrics(service.address)
    expect(metrics.one('tallystick_record_refused', { tenant: tenant?.id ?? '' })).toBe(1)
    if (hasPromtool) expect(await listFiringAlerts(metrics)).toContain('TallystickRecordRefused')
    // Its receipt is lost, and nothing is signed before the operator has decided.
    expect(await isOpen()).toBe(true)
    expect((await api.post('/v1/chat/completions', chatCall(false))).status).toBe(503)

    const accepted = await runCommand(['record', 'accept-restore', '--by', 'Ada'], env)
    expect(accepted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('are missing') })
    await waitFor('the call to be settled', async () => !(await isOpen()))
    await waitFor('nothing to be reserved', async () => (await readBudget()).reservedUsd === 0)
    const { fault, receipts } = await verifyRecord(database)
    expect(fault).toBeNull()
    expect(receipts).toMatchObject([{ id: headers.get('x-tallystick-request-id'), outcome: 'interrupted' }])
    expect((await readBudget()).spentUsd).toBe((receipts[0]?.costNanos ?? 0) / 1e9)
    await waitFor('all to be well', async () => (await api.get('/readyz')).body.status === 'ready')
    expect((await api.post('/v1/chat/completions', chatCall(false))).status).toBe(200)
  } finally {
    await service.end('SIGKILL')
    await upstream.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

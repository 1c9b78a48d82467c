import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import {
  loadSigningKey,
  noMarks,
  openCurrentSigningKey,
  rotateSigningKey,
} from '../../../packages/service/src/record/index.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { waitFor } from '../../harness/run/wait.js'
import { createTestDatabase } from '../../harness/service/database.js'
import { startTestService } from '../../harness/service/service.js'

test('a start with another signing key than the last that sealed warns of both, unless that one is retired', async () => {
  const database = await createTestDatabase()
  const { db, close } = openDatabase(database.url, () => undefined)
  const [dataDir, elsewhere] = await Promise.all(
    ['one', 'other'].map((name) => mkdtemp(join(tmpdir(), `tallystick-${name}-`))),
  )
  if (!dataDir || !elsewhere) throw new Error('no folder')
  const warningsOf = async (folder: string) => {
    const warnings: string[] = []
    const key = await openCurrentSigningKey(db, { dataDir: folder, configured: null }, (message) => {
      warnings.push(message)
    })
    return { id: key.publicKey.id, warnings }
  }
  try {
    expect((await warningsOf(dataDir)).warnings).toEqual([])
    const service = await startTestService({ database, dataDir })
    const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
    expect((await service.api.post('/v1/chat/completions', call)).status).toBe(200)
    await service.stop()

    const { id: sealedBy, warnings: none } = await warningsOf(dataDir)
    expect(none).toEqual([])
    const { id, warnings } = await warningsOf(elsewhere)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`seals with the key ${id}; the last seal is by ${sealedBy}`)
    expect(warnings[0]).toContain(`tallystick signing-key retire ${sealedBy}`)

    // After a rotation another key seals, and that is as it should be.
    const old = await loadSigningKey({ dataDir, configured: null })
    if (!old) throw new Error('no key')
    await rotateSigningKey({ db, databaseUrl: database.url, dataDir, marks: noMarks, now: new Date() }, old)
    expect((await warningsOf(dataDir)).warnings).toEqual([])
  } finally {
    await close()
    await database.drop()
    for (const folder of [dataDir, elsewhere]) await rm(folder, { recursive: true })
  }
})

test('a process that serves warns, once, of another one that seals with a key of its own', async () => {
  const service = await startTestService()
  const elsewhere = await mkdtemp(join(tmpdir(), 'tallystick-other-'))
  const { db, close } = openDatabase(service.database.url, () => undefined)
  try {
    const key = await openCurrentSigningKey(
      db,
      { dataDir: service.dataDir, configured: null },
      () => undefined,
    )
    const said: string[] = []
    const say = (_context: object, message: string) => void said.push(message)
    const log = { debug: () => undefined, warn: say, error: say }
    const watch = key.watchOtherKeys({ log, everyMs: 5, onError: (error) => said.push(String(error)) })
    const other = await openCurrentSigningKey(db, { dataDir: elsewhere, configured: null }, () => undefined)
    const [tenant] = await service.database.query<{ id: string }>('select id from tenants')
    for (const groups of [[1], [1]])
      await fillRecord({ ...service, dataDir: elsewhere, tenantId: tenant?.id ?? '', groups })
    await waitFor('the warning', async () => said.length > 0)
    await watch.close()
    expect(said).toEqual([expect.stringContaining(`the last seal is by ${other.publicKey.id}`)])
  } finally {
    await close()
    await service.stop()
    await rm(elsewhere, { recursive: true })
  }
})

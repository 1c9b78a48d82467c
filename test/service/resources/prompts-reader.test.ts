import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type Changes,
  type Database,
  listenForChanges,
  openDatabase,
} from '../../../packages/service/src/db/index.js'
import {
  createPromptReader,
  type PromptReader,
} from '../../../packages/service/src/resources/prompts/index.js'
import { aSecondMs, waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

/** The reader as another replica has it: a service makes the changes, the reader only hears of them. */
let service: TestService
let database: Database
let changes: Changes
let reader: PromptReader
let tenantId: string
let id: string
let versionIds: string[]

beforeAll(async () => {
  service = await shareTestService()
  database = openDatabase(service.database.url, () => undefined)
  changes = await listenForChanges(service.database.url, () => undefined)
  reader = createPromptReader({ db: database.db, changes })
  const tenant = { id: service.tenantId }
  tenantId = tenant?.id ?? ''
})
afterAll(async () => {
  await changes.close()
  await database.close()
  await service.stop()
})

let counter = 0
beforeEach(async () => {
  const { body } = await service.api.post('/v1/prompts', { name: `Prompt ${++counter}` })
  id = body.id
  versionIds = [await append('first'), await append('second')]
})

async function append(content: string): Promise<string> {
  return (await service.api.post('/v1/prompts/versions', { promptId: id, content })).body.id
}
const setLabel = (versionId: string | undefined) =>
  service.api.post('/v1/prompts/labels', { promptId: id, label: 'production', versionId })
const contentOf = async (choice: { label?: string; version?: number } = {}) =>
  (await reader.resolve(tenantId, { id, ...choice })).content

test('a reference means the newest version unless it names a label or a version', async () => {
  await setLabel(versionIds[0])
  expect(await reader.resolve(tenantId, { id })).toEqual({
    promptId: id,
    versionId: versionIds[1],
    version: 2,
    content: 'second',
  })
  expect(await contentOf({ label: 'latest' })).toBe('second')
  expect(await contentOf({ label: 'production' })).toBe('first')
  expect(await contentOf({ version: 1 })).toBe('first')
})

test('a reference that leads nowhere is a 400 that says which part of it', async () => {
  const { body: empty } = await service.api.post('/v1/prompts', { name: `Empty ${counter}` })
  const faults = [
    [tenantId, { id: 'prompt_never' }, 'prompt.id', 'there is no prompt prompt_never'],
    ['tenant_other', { id }, 'prompt.id', `there is no prompt ${id}`],
    [tenantId, { id, label: 'staging' }, 'prompt.label', 'the prompt has no label staging'],
    [tenantId, { id, version: 3 }, 'prompt.version', 'the prompt has no version 3'],
    [tenantId, { id: empty.id }, 'prompt.label', 'the prompt has no version yet'],
  ] as const
  for (const [tenant, reference, path, message] of faults) {
    await expect(reader.resolve(tenant, reference)).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ path, message }] },
    })
  }
})

test('an append, a label and a deletion made on another replica are known here within a second', async () => {
  await setLabel(versionIds[0])
  expect([await contentOf(), await contentOf({ label: 'production' })]).toEqual(['second', 'first'])

  await append('third')
  await waitFor('the appended version', async () => (await contentOf()) === 'third', aSecondMs)
  await setLabel(versionIds[1])
  await waitFor(
    'the moved label',
    async () => (await contentOf({ label: 'production' })) === 'second',
    aSecondMs,
  )

  const fails = (choice: { label?: string }) =>
    contentOf(choice).then(
      () => false,
      () => true,
    )
  await service.api.delete(`/v1/prompts/${id}/label/production`)
  await waitFor('the deleted label', () => fails({ label: 'production' }), aSecondMs)
  await service.api.delete(`/v1/prompts/${id}`)
  await waitFor('the deleted prompt', () => fails({}), aSecondMs)
})

test('a prompt that did not change is answered from memory, until it is forgotten', async () => {
  // With changes that nobody makes: a connection that is lost for a moment would have everything forgotten.
  const quiet: Changes = { connected: () => true, subscribe: () => undefined, close: async () => undefined }
  const remembering = createPromptReader({ db: database.db, changes: quiet })
  const contentOf = async () => (await remembering.resolve(tenantId, { id })).content
  expect(await contentOf()).toBe('second')
  await service.database.query(`update prompt_versions set content = 'tampered' where id = $1`, [
    versionIds[1],
  ])
  expect(await contentOf()).toBe('second')
  remembering.forget(tenantId)
  expect(await contentOf()).toBe('tampered')
})

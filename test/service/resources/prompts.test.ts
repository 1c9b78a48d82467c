import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { operatorOf } from '../../../packages/service/src/resources/audit/index.js'
import { createKey } from '../../../packages/service/src/resources/keys/index.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let member: Api
let stranger: Api

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
  const { body } = await api.post('/v1/keys', { name: 'A member', role: 'member' })
  member = service.as(body.key)
  const database = openDatabase(service.database.url, () => undefined)
  const tenant = await createTenant(database.db, 'other')
  const { value } = await createKey(database.db, operatorOf(tenant.id), {
    name: 'Other manager',
    role: 'manager',
  })
  await database.close()
  stranger = service.as(value)
})
afterAll(() => service.stop())

let counter = 0
async function makePrompt(...contents: string[]): Promise<{ id: string; versionIds: string[] }> {
  const { body } = await api.post('/v1/prompts', { name: `Prompt ${++counter}` })
  const versionIds: string[] = []
  for (const content of contents) {
    const appended = await api.post('/v1/prompts/versions', { promptId: body.id, content })
    expect(appended.status).toBe(201)
    versionIds.push(appended.body.id)
  }
  return { id: body.id, versionIds }
}

const setLabel = (promptId: string, label: string, versionId: string | undefined) =>
  api.post('/v1/prompts/labels', { promptId, label, versionId })

describe('prompts', () => {
  test('a prompt is made, read, listed, changed and deleted', async () => {
    const created = await api.post('/v1/prompts', { name: 'Greeting', description: 'Says hello' })
    expect(created.status).toBe(201)
    const prompt = created.body
    expect(prompt).toEqual({
      id: expect.stringMatching(/^prompt_[0-9a-z]{26}$/),
      name: 'Greeting',
      description: 'Says hello',
      labels: {},
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect((await member.get(`/v1/prompts/${prompt.id}`)).body).toEqual(prompt)
    expect((await member.get('/v1/prompts')).body).toContainEqual(prompt)

    const changed = await api.patch(`/v1/prompts/${prompt.id}`, { description: '' })
    expect(changed).toMatchObject({ status: 200, body: { ...prompt, description: '' } })

    expect((await api.delete(`/v1/prompts/${prompt.id}`)).status).toBe(204)
    expect((await api.delete(`/v1/prompts/${prompt.id}`)).status).toBe(204)
    expect((await api.get(`/v1/prompts/${prompt.id}`)).status).toBe(404)
    expect((await api.patch(`/v1/prompts/${prompt.id}`, { name: 'Back' })).status).toBe(404)
    expect((await api.get('/v1/prompts')).body).not.toContainEqual(expect.objectContaining({ id: prompt.id }))
    expect((await api.delete('/v1/prompts/prompt_never')).status).toBe(404)
  })

  test('the list is a plain array, newest first, with the label map of each prompt', async () => {
    const older = await makePrompt('one', 'two')
    const newer = await makePrompt()
    await setLabel(older.id, 'production', older.versionIds[0])
    await setLabel(older.id, 'constructor', older.versionIds[1])

    const { status, body } = await member.get('/v1/prompts')
    expect(status).toBe(200)
    expect(body.slice(0, 2)).toEqual([
      expect.objectContaining({ id: newer.id, description: '', labels: {} }),
      expect.objectContaining({
        id: older.id,
        labels: {
          production: { versionId: older.versionIds[0], version: 1 },
          constructor: { versionId: older.versionIds[1], version: 2 },
        },
      }),
    ])
    expect((await api.get('/v1/prompts?page=2')).status).toBe(400)
  })

  test('a name is taken once in a tenant, also when many ask at the same moment, and free again after deletion', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/v1/prompts', { name: 'Unique', content: 'x' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    const [winner] = answers.filter(({ status }) => status === 201)
    const other = await makePrompt()
    expect((await api.patch(`/v1/prompts/${other.id}`, { name: 'Unique' })).body.error).toMatchObject({
      type: 'conflict',
      code: 409,
    })
    expect((await api.patch(`/v1/prompts/${winner?.body.id}`, { name: 'Unique' })).status).toBe(200)

    await api.delete(`/v1/prompts/${winner?.body.id}`)
    expect((await api.patch(`/v1/prompts/${other.id}`, { name: 'Unique' })).status).toBe(200)
  })

  test('bodies that say something else than the interface does are refused', async () => {
    const { id } = await makePrompt()
    for (const body of [
      {},
      { name: '' },
      { name: '  ' },
      { name: 7 },
      { name: 'N', descripton: '' },
      { name: 'N', content: '' },
    ]) {
      expect((await api.post('/v1/prompts', body)).body.error.type).toBe('invalid_request')
    }
    for (const body of [{}, { content: 'x' }, { name: null }, { labels: {} }]) {
      expect((await api.patch(`/v1/prompts/${id}`, body)).status).toBe(400)
    }
    for (const body of [
      { promptId: id },
      { promptId: id, content: '' },
      { promptId: id, content: 'x', version: 9 },
    ]) {
      expect((await api.post('/v1/prompts/versions', body)).status).toBe(400)
    }
  })
})

describe('versions', () => {
  test('content given with a new prompt is its first version', async () => {
    const { body: prompt } = await api.post('/v1/prompts', {
      name: 'With content',
      content: 'Hello {{name}}',
    })
    const { body: page } = await member.get(`/v1/prompts/${prompt.id}/versions`)
    expect(page).toEqual({
      data: [
        {
          id: expect.stringMatching(/^ver_[0-9a-z]{26}$/),
          promptId: prompt.id,
          version: 1,
          content: 'Hello {{name}}',
          createdAt: expect.any(String),
        },
      ],
      nextCursor: null,
    })
    const second = await api.post('/v1/prompts/versions', { promptId: prompt.id, content: 'Hi {{name}}' })
    expect(second).toMatchObject({
      status: 201,
      body: { promptId: prompt.id, version: 2, content: 'Hi {{name}}' },
    })
  })

  test('50 concurrent appends are numbered 1 to 50 without gaps or repeats, in the order of their times', async () => {
    const { id } = await makePrompt()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        api.post('/v1/prompts/versions', { promptId: id, content: `text ${n}` }),
      ),
    )
    const oneToFifty = Array.from({ length: 50 }, (_, n) => n + 1)
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(oneToFifty)

    const { body: page } = await api.get(`/v1/prompts/${id}/versions`)
    expect(page.data.map(({ version }: { version: number }) => version)).toEqual(oneToFifty.reverse())
    const times = page.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('pages neither repeat nor skip a version while others are appended', async () => {
    const { id } = await makePrompt('1', '2', '3', '4', '5')
    const first = await api.get(`/v1/prompts/${id}/versions?limit=2`)
    await api.post('/v1/prompts/versions', { promptId: id, content: '6' })
    const second = await api.get(`/v1/prompts/${id}/versions?limit=2&cursor=${first.body.nextCursor}`)
    const third = await api.get(`/v1/prompts/${id}/versions?limit=2&cursor=${second.body.nextCursor}`)
    const seen = [first, second, third].flatMap(({ body }) =>
      body.data.map(({ content }: { content: string }) => content),
    )
    expect(seen).toEqual(['5', '4', '3', '2', '1'])
    expect(third.body.nextCursor).toBeNull()

    const another = await makePrompt('x')
    expect((await api.get(`/v1/prompts/${another.id}/versions?cursor=${first.body.nextCursor}`)).status).toBe(
      400,
    )
  })

  test('content is limited to 256 KiB counted in bytes', async () => {
    const { id } = await makePrompt()
    const fits = 'é'.repeat(128 * 1024)
    expect((await api.post('/v1/prompts/versions', { promptId: id, content: fits })).body.content).toBe(fits)
    for (const content of [`${fits}x`, 'x'.repeat(256 * 1024 + 1)]) {
      const refused = await api.post('/v1/prompts/versions', { promptId: id, content })
      expect(refused.body.error).toMatchObject({ type: 'invalid_request', details: [{ path: 'content' }] })
      expect((await api.post('/v1/prompts', { name: 'Too large', content })).status).toBe(400)
    }
    expect((await api.get(`/v1/prompts/${id}/label/latest`)).body.version).toBe(1)
  })
})

describe('labels', () => {
  test('a label points at the version it was moved to, and `latest` follows every append', async () => {
    const { id, versionIds } = await makePrompt('first', 'second')
    const moved = await setLabel(id, 'production', versionIds[1])
    expect(moved).toMatchObject({ status: 204, body: '' })
    await setLabel(id, 'production', versionIds[0])
    expect((await member.get(`/v1/prompts/${id}/label/production`)).body).toEqual({
      promptId: id,
      versionId: versionIds[0],
      version: 1,
      content: 'first',
    })
    expect((await member.get(`/v1/prompts/${id}/label/latest`)).body).toMatchObject({
      version: 2,
      content: 'second',
    })
    await api.post('/v1/prompts/versions', { promptId: id, content: 'third' })
    expect((await member.get(`/v1/prompts/${id}/label/latest`)).body).toMatchObject({
      version: 3,
      content: 'third',
    })
  })

  test('a label that is not there is a 404, and so is `latest` of a prompt without a version', async () => {
    const { id } = await makePrompt()
    for (const label of ['production', 'latest', 'No%20Label', 'label']) {
      expect((await api.get(`/v1/prompts/${id}/label/${label}`)).body.error.type).toBe('not_found')
    }
    expect((await api.get('/v1/prompts/prompt_never/label/latest')).status).toBe(404)
  })

  test('a label is deleted, again without complaint, and can be set anew', async () => {
    const { id, versionIds } = await makePrompt('text')
    await setLabel(id, 'staging', versionIds[0])
    expect((await api.delete(`/v1/prompts/${id}/label/staging`)).status).toBe(204)
    expect((await api.delete(`/v1/prompts/${id}/label/staging`)).status).toBe(204)
    expect((await api.get(`/v1/prompts/${id}/label/staging`)).status).toBe(404)
    expect((await api.get(`/v1/prompts/${id}`)).body.labels).toEqual({})
    expect((await api.delete(`/v1/prompts/${id}/label/never`)).status).toBe(404)
    await setLabel(id, 'staging', versionIds[0])
    expect((await api.get(`/v1/prompts/${id}/label/staging`)).body.version).toBe(1)
  })

  test('`latest` can be neither set nor deleted', async () => {
    const { id, versionIds } = await makePrompt('text')
    expect((await setLabel(id, 'latest', versionIds[0])).body.error).toMatchObject({
      type: 'invalid_request',
      code: 400,
    })
    expect((await api.delete(`/v1/prompts/${id}/label/latest`)).body.error).toMatchObject({
      type: 'invalid_request',
      code: 400,
    })
  })

  test('a label is 1 to 64 of a-z, 0-9, dot, hyphen and underscore, and starts with a letter or digit', async () => {
    const { id, versionIds } = await makePrompt('text')
    for (const label of ['a', '0', 'v1.0_rc-2', 'a'.repeat(64)])
      expect((await setLabel(id, label, versionIds[0])).status).toBe(204)
    for (const label of ['', '-a', '.a', 'A', 'a b', 'é', 'a\n', 'a'.repeat(65)]) {
      expect((await setLabel(id, label, versionIds[0])).body.error.details).toMatchObject([{ path: 'label' }])
    }
  })

  test('a label cannot point at a version of another prompt, of another tenant, or of none', async () => {
    const { id } = await makePrompt('mine')
    const other = await makePrompt('theirs')
    expect((await setLabel(id, 'production', other.versionIds[0])).status).toBe(404)
    const foreign = await stranger.post('/v1/prompts', { name: 'Foreign' })
    const version = await stranger.post('/v1/prompts/versions', {
      promptId: foreign.body.id,
      content: 'foreign',
    })
    expect((await setLabel(id, 'production', version.body.id)).status).toBe(404)
    await stranger.delete(`/v1/prompts/${foreign.body.id}`)
    expect((await setLabel(id, 'production', 'ver_never')).status).toBe(404)
    expect((await setLabel('prompt_never', 'production', other.versionIds[0])).status).toBe(404)
    expect((await api.get(`/v1/prompts/${id}`)).body.labels).toEqual({})
  })
})

describe('who may do what', () => {
  /** Every way to reach a prompt, as requests that are valid for a manager of its tenant. */
  const requests = (id: string, versionId: string | undefined) => ({
    reads: ['', '/versions', '/label/production', '/label/latest'].map(
      (end) => (caller: Api) => caller.get(`/v1/prompts/${id}${end}`),
    ),
    writes: [
      (caller: Api) => caller.patch(`/v1/prompts/${id}`, { description: 'changed' }),
      (caller: Api) => caller.post('/v1/prompts/versions', { promptId: id, content: 'changed' }),
      (caller: Api) => caller.post('/v1/prompts/labels', { promptId: id, label: 'production', versionId }),
      (caller: Api) => caller.delete(`/v1/prompts/${id}/label/production`),
      (caller: Api) => caller.delete(`/v1/prompts/${id}`),
    ],
  })

  async function makeLabelled() {
    const { id, versionIds } = await makePrompt('text')
    await setLabel(id, 'production', versionIds[0])
    return { id, ...requests(id, versionIds[0]) }
  }

  test('any valid key reads, only a manager writes, and nobody does without a key', async () => {
    const { reads, writes } = await makeLabelled()
    const create = (caller: Api) => caller.post('/v1/prompts', { name: 'By a member' })
    for (const read of reads) expect((await read(member)).status).toBe(200)
    for (const write of [create, ...writes]) {
      expect((await write(member)).body.error).toEqual({
        type: 'forbidden',
        message: 'Manager-level access is required',
        code: 403,
      })
    }
    for (const request of [create, ...reads, ...writes])
      expect((await request(service.as('tallystick_sk_unknown'))).status).toBe(401)
    for (const write of writes) expect((await write(api)).status).toBeLessThan(300)
  })

  test('a prompt of another tenant is answered like one that does not exist, and stays as it is', async () => {
    const { id, reads, writes } = await makeLabelled()
    const before = (await api.get(`/v1/prompts/${id}`)).body
    for (const request of [...reads, ...writes])
      expect((await request(stranger)).body.error).toMatchObject({ type: 'not_found', code: 404 })
    expect((await stranger.get('/v1/prompts')).body).toEqual([])
    expect((await api.get(`/v1/prompts/${id}`)).body).toEqual(before)
    expect((await api.get(`/v1/prompts/${id}/label/latest`)).body.version).toBe(1)

    expect((await stranger.post('/v1/prompts', { name: before.name })).status).toBe(201)
  })

  test('a deleted prompt cannot be reached in any way', async () => {
    const { id, reads, writes } = await makeLabelled()
    await api.delete(`/v1/prompts/${id}?cascade=true`)
    for (const request of [...reads, ...writes.slice(0, -1)]) expect((await request(api)).status).toBe(404)
  })
})

test('every write is written down with the record before and after, and a refused one is not', async () => {
  const { body: prompt } = await api.post('/v1/prompts', { name: 'Audited', content: 'secret sauce' })
  const { body: second } = await api.post('/v1/prompts/versions', {
    promptId: prompt.id,
    content: 'more sauce',
  })
  await setLabel(prompt.id, 'production', second.id)
  await setLabel(prompt.id, 'production', 'ver_never')
  await api.patch(`/v1/prompts/${prompt.id}`, { name: 'Renamed' })
  await api.delete(`/v1/prompts/${prompt.id}/label/production`)
  await api.delete(`/v1/prompts/${prompt.id}`)
  await api.delete(`/v1/prompts/${prompt.id}`)

  const entries = await service.database.query(
    `select action, before, after from audit_log
     where subject_id = $1 or after ->> 'promptId' = $1 order by at, id`,
    [prompt.id],
  )
  const labels = { production: { versionId: second.id, version: 2 } }
  const renamed = { ...prompt, name: 'Renamed' }
  const { content: _, ...secondNamed } = second
  expect(entries.slice(0, 2)).toEqual(
    expect.arrayContaining([
      { action: 'prompt.create', before: null, after: prompt },
      {
        action: 'prompt_version.create',
        before: null,
        after: expect.objectContaining({ promptId: prompt.id, version: 1 }),
      },
    ]),
  )
  expect(entries.slice(2)).toEqual([
    { action: 'prompt_version.create', before: null, after: secondNamed },
    { action: 'prompt.set_label', before: prompt, after: { ...prompt, labels } },
    { action: 'prompt.update', before: { ...prompt, labels }, after: { ...renamed, labels } },
    { action: 'prompt.delete_label', before: { ...renamed, labels }, after: renamed },
    { action: 'prompt.delete', before: renamed, after: null },
  ])
  expect(JSON.stringify(entries)).not.toContain('sauce')
})

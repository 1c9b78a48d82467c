import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeObject, openWorkspace, type Workspace } from '../../harness/declarative/command.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

/** Passes requests on, and after a number of writes breaks the connection: before the service has the request, or after its answer. */
interface BreakingProxy {
  address: string
  breakAfter(writes: number, moment: 'request' | 'answer'): void
  close(): void
}

async function startBreakingProxy(): Promise<BreakingProxy> {
  let left = Number.POSITIVE_INFINITY
  let when: 'request' | 'answer' = 'request'
  const server: Server = createServer((incoming, outgoing) => {
    const isLast = incoming.method !== 'GET' && --left < 0
    if (left < 0 && (!isLast || when === 'request')) return void incoming.socket.destroy()
    const forwarded = request(
      `${service.address}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers, agent: false },
      (answer) => {
        if (isLast) {
          answer.resume()
          answer.on('end', () => void incoming.socket.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    breakAfter(writes, moment) {
      left = writes
      when = moment
    },
    close: () => void server.close(),
  }
}

const before = [
  describeObject('Team', 'a', { budgetPoolUsd: 1 }),
  describeObject('Key', 'k', { teamId: 'a' }),
  describeObject('Prompt', 'p', { content: 'One', labels: ['production'] }),
  describeObject('Provider', 'v', {
    type: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
    credentials: [{ name: 'c1', value: 'sk-first-value' }],
  }),
]
const after = [
  describeObject('Team', 'a', { budgetPoolUsd: 2 }),
  describeObject('Key', 'k2', { teamId: 'a' }),
  describeObject('Prompt', 'p', { content: 'Two', labels: ['production', 'staging'] }),
  describeObject('Provider', 'v', {
    type: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
    credentials: [{ name: 'c2', value: 'sk-second-value' }],
  }),
]

/** Requests that change something, before the connection breaks. */
const cuts = [
  { documents: before, writes: 0, moment: 'answer' },
  { documents: before, writes: 4, moment: 'answer' },
  { documents: before, writes: 5, moment: 'request' },
  { documents: before, writes: 7, moment: 'answer' },
  { documents: after, writes: 1, moment: 'answer' },
  { documents: after, writes: 2, moment: 'request' },
  { documents: after, writes: 8, moment: 'answer' },
  { documents: after, writes: 11, moment: 'answer' },
] as const

test('an apply that is cut off, before or after the service has a request, is continued by the next one', async () => {
  const proxy = await startBreakingProxy()
  const tenant = await addTenant(service, 'cut')
  const files = openWorkspace({ address: service.address, managerKey: tenant.managerKey })
  try {
    for (const { documents, writes, moment } of cuts) {
      await emptyTenant(files)
      if (documents === after) {
        files.write('all.yaml', before)
        expect(await files.apply()).toMatchObject({ exitCode: 0 })
      }
      files.write('all.yaml', documents)
      proxy.breakAfter(writes, moment)
      const cut = await files.apply(['--prune', '--url', proxy.address])
      const continued = await files.apply(['--prune'])
      const at = `${moment} ${writes}: ${cut.error} ${continued.out} ${continued.error}`
      expect(cut.exitCode, at).toBe(1)
      expect(continued, at).toMatchObject({ exitCode: 0, error: '' })
      expect((await files.apply(['--prune'])).out, at).toBe('No changes.\n')
      const { body } = await tenant.api.get('/v1/keys?status=active&q=k')
      const names = body.data
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name !== 'Manager')
      expect(names, 'a key is never made twice').toEqual([documents === after ? 'k2' : 'k'])
      // The value of the key was printed by one of the two.
      expect(cut.out + continued.out, at).toContain('tallystick_sk_')
    }
  } finally {
    files.close()
    proxy.close()
  }
})

async function emptyTenant(files: Workspace): Promise<void> {
  files.write('all.yaml', [describeObject('Team', 'kept', { budgetPoolUsd: 1 })])
  const emptied = await files.apply(['--prune'])
  expect(emptied, emptied.out + emptied.error).toMatchObject({ exitCode: 0 })
}

test('of two applies at the same time both end, nothing is made twice, and the next one has nothing left to do', async () => {
  const tenant = await addTenant(service, 'two')
  const files = openWorkspace({ address: service.address, managerKey: tenant.managerKey })
  try {
    files.write('all.yaml', before)
    const both = await Promise.all([files.apply(), files.apply()])
    for (const { exitCode, error } of both.filter((each) => each.exitCode !== 0)) {
      expect(exitCode).toBe(1)
      expect(error).toMatch(/run this one again|run the same command again/)
    }
    expect(both.some(({ exitCode }) => exitCode === 0)).toBe(true)
    expect(await files.apply()).toMatchObject({ exitCode: 0 })
    expect((await files.apply()).out).toBe('No changes.\n')
    expect(
      (await tenant.api.get('/v1/keys?status=active&q=k')).body.data.filter(
        ({ name }: { name: string }) => name === 'k',
      ),
    ).toHaveLength(1)
    expect((await tenant.api.get('/v1/team/teams')).body).toHaveLength(1)
  } finally {
    files.close()
  }
})

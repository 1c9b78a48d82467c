import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startWitness } from '../harness/processes/process-list.js'
import { createApi } from '../harness/service/api.js'

// The whole program as a newcomer meets it: an empty folder, no settings, the embedded Postgres. One story, in order.

let folder: string
let dataDir: string
let running: ServiceProcess | null = null
let managerKey = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-first-'))
  // Under root the database runs as an unprivileged user, who must get through.
  await chmod(folder, 0o755)
  dataDir = join(folder, '.tallystick')
})
afterAll(async () => {
  await running?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<ServiceProcess> {
  running = await startServiceProcess({ TALLYSTICK_DATA_DIR: dataDir, TALLYSTICK_LOG_FORMAT: 'pretty' })
  return running
}

const keysIn = (text: string) => new Set(text.match(/tallystick_sk_[0-9A-Za-z]{40}/g) ?? [])

const databasePid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the first start tells the address, the manager key and a call to try', async () => {
  const { address, output } = await start()
  expect(output()).toContain(`Tallystick listens on ${address}`)
  expect(output().match(/First manager key, shown only once/g)).toHaveLength(1)
  const [key, ...others] = keysIn(output())
  expect(others).toEqual([])
  managerKey = key ?? ''
  expect((await createApi(address, managerKey).get('/v1/keys')).body.data).toMatchObject([
    { role: 'manager', createdBy: 'operator' },
  ])
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

test.skipIf(!hasCurl)(
  'the call works as it was printed, and the list of processes shows no key',
  async () => {
    const { address = '', output = () => '' } = running ?? {}
    const witness = await startWitness(address)
    const printed = /^export [\s\S]*?\}'$/m.exec(output())?.[0] ?? ''
    const shell = spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] })
    // Typed into a shell, as it is pasted: the shell's own command line says `sh`.
    shell.stdin.end(`${printed.replace(address, witness.address)}\n`)
    expect(JSON.parse(await text(shell.stdout)).choices[0].message.content).toBe('Hello, tally!')
    witness.close()
    const lines = [...witness.seen]
    expect(lines.some((line) => line.startsWith('curl '))).toBe(true)
    expect(lines.some((line) => line.includes(dataDir))).toBe(true) // the database
    expect(lines.filter((line) => line.includes(managerKey))).toEqual([])
  },
)

test("the operator's commands work beside the running service, on the same folder", async () => {
  const made = await runCommand(['tenant', 'create', 'acme'], { TALLYSTICK_DATA_DIR: dataDir })
  expect(made.exitCode).toBe(0)
  const [key] = keysIn(made.stdout)
  expect((await createApi(running?.address ?? '', key ?? '').get('/v1/keys')).status).toBe(200)
  expect((await createApi(running?.address ?? '', managerKey).get('/readyz')).status).toBe(200)
})

test('after a hard kill the next start finds the database that was left behind, and shows no key again', async () => {
  const before = await databasePid()
  expect(await running?.end('SIGKILL')).toBe('SIGKILL')
  expect(isAlive(before)).toBe(true)
  const { address, output } = await start()
  expect(await databasePid()).toBe(before)
  expect(keysIn(output()).size).toBe(0)
  expect((await createApi(address, managerKey).get('/v1/keys')).status).toBe(200)
})

test('told to stop, it ends well and leaves no database running', async () => {
  expect(await running?.end('SIGTERM')).toBe(0)
  // Postgres takes the file away last of all.
  await expect(databasePid()).rejects.toThrow('ENOENT')
})

test("the operator's commands work when nothing is running, and leave nothing running", async () => {
  const listed = await runCommand(['tenant', 'list'], {}, folder)
  expect({ ...listed, stdout: listed.stdout.replaceAll(/\t.*/g, '') }).toEqual({
    exitCode: 0,
    stdout: 'default\nacme\n',
    stderr: '',
  })
  await expect(databasePid()).rejects.toThrow('ENOENT')
})

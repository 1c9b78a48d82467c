import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { runCommand } from '../harness/processes/command.js'
import { random } from '../harness/run/seed.js'
import type { House } from './house.js'
import { lacksDisks, mountDisk, unmountDisk } from './postgres.js'
import { badAnswers } from './provider.js'

/** What goes wrong, and is over when `strike` resolves. */
export interface Fault {
  name: string
  strike(house: House): Promise<void>
  /** Why it cannot be tried here; null when it can. */
  lacks?(): string | null
}

const fakeTime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib']
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

export const faults: readonly Fault[] = [
  {
    name: 'database stopped',
    async strike({ postgres, lasts }) {
      await postgres.end('SIGINT')
      await lasts()
      await postgres.start()
    },
  },
  {
    name: 'database killed',
    async strike({ postgres, lasts }) {
      await postgres.end('SIGKILL')
      await lasts()
      await postgres.start()
    },
  },
  {
    name: 'database restarted',
    async strike({ postgres }) {
      await postgres.end('SIGINT')
      await postgres.start()
    },
  },
  {
    name: 'database hangs',
    async strike({ postgres, lasts }) {
      postgres.relay.hang()
      await lasts()
      postgres.relay.restore()
    },
  },
  {
    name: 'database slow',
    async strike({ postgres, lasts }) {
      postgres.relay.delay(200)
      await lasts()
      postgres.relay.restore()
    },
  },
  {
    name: 'connections cut',
    async strike({ postgres }) {
      for (let i = 0; i < 5; i++) {
        postgres.relay.cut()
        await pause(200 + random() * 500)
      }
    },
  },
  {
    name: 'database read-only',
    async strike({ postgres, lasts }) {
      await setReadOnly(postgres, 'on')
      await lasts()
      await setReadOnly(postgres, 'off')
    },
  },
  {
    name: "database's disk full",
    lacks: lacksDisks,
    async strike({ postgres, lasts }) {
      await postgres.setDisk('full')
      await lasts()
      await postgres.setDisk('roomy')
      // It gives up when there is no room for its log.
      await postgres.start()
    },
  },
  {
    name: 'out of connections',
    async strike({ postgres, lasts }) {
      const taken: pg.Client[] = []
      postgres.relay.cut()
      for (let refused = 0; refused < 20; ) {
        const client = await postgres.connect().catch(() => null)
        if (client === null) refused++
        else taken.push(client)
      }
      await lasts()
      await Promise.all(taken.map((client) => client.end()))
    },
  },
  {
    name: 'table locked',
    async strike({ postgres, lasts }) {
      const client = await postgres.connect()
      await client.query('begin')
      await client.query('lock table receipts in access exclusive mode')
      await lasts()
      await client.query('rollback')
      await client.end()
    },
  },
  {
    name: 'open snapshot',
    async strike({ postgres, lasts }) {
      const client = await postgres.connect()
      await client.query('begin isolation level repeatable read')
      await client.query('select count(*) from receipts')
      await lasts()
      await client.query('rollback')
      await client.end()
    },
  },
  {
    name: 'Redis killed',
    async strike({ redis, lasts }) {
      await redis.kill()
      await lasts()
      await redis.restart()
    },
  },
  {
    name: 'Redis hangs',
    async strike({ redis, lasts }) {
      redis.halt()
      await lasts()
      redis.continue()
    },
  },
  {
    name: 'Redis flushed',
    async strike({ redis }) {
      await redis.client.flushall()
    },
  },
  {
    name: 'Redis full',
    async strike({ redis, lasts }) {
      await redis.client.config('SET', 'maxmemory', '1')
      await lasts()
      await redis.client.config('SET', 'maxmemory', '0')
    },
  },
  {
    name: 'Redis replaced',
    async strike({ redis }) {
      await redis.restart()
    },
  },
  {
    name: 'replica killed',
    async strike({ replicas }) {
      const replica = replicas.any()
      await replicas.end(replica, 'SIGKILL')
      await replicas.run(replica)
    },
  },
  {
    name: 'replica stopped',
    async strike({ replicas }) {
      const replica = replicas.any()
      await replicas.end(replica, 'SIGTERM')
      await replicas.run(replica)
    },
  },
  {
    name: 'all replaced, one by one',
    async strike({ replicas }) {
      for (const replica of replicas.all) {
        await replicas.end(replica, 'SIGTERM')
        await replicas.run(replica)
      }
    },
  },
  {
    name: 'all killed at once',
    async strike({ replicas }) {
      await Promise.all(replicas.all.map((replica) => replicas.end(replica, 'SIGKILL')))
      for (const replica of replicas.all) await replicas.run(replica)
    },
  },
  {
    name: 'replica paused for a moment',
    strike: (house) => pauseReplica(house, () => pause(2_500)),
  },
  {
    name: 'replica paused until it is taken for dead',
    strike: (house) => pauseReplica(house, () => pause(22_000)),
  },
  {
    name: 'replicas paused at random',
    async strike(house) {
      for (let i = 0; i < 5; i++) await pauseReplica(house, () => pause(100 + random() * 2_000))
    },
  },
  {
    name: 'clock ahead by an hour',
    lacks: () => (fakeTime === undefined ? 'libfaketime is not installed' : null),
    strike: (house) => withClock(house, '+3600s'),
  },
  {
    name: 'clock back by ten minutes',
    lacks: () => (fakeTime === undefined ? 'libfaketime is not installed' : null),
    strike: (house) => withClock(house, '-600s'),
  },
  {
    name: 'data directory full',
    lacks: lacksDisks,
    strike: (house) => onSmallDisk(house, 'rw'),
  },
  {
    name: 'data directory read-only, database away',
    lacks: lacksDisks,
    strike: (house) => onSmallDisk(house, 'ro'),
  },
  ...Object.entries(badAnswers).map(
    ([behaviour, answer]): Fault => ({
      name: `provider ${behaviour}`,
      async strike({ provider, lasts }) {
        provider.behave(answer)
        await lasts()
        provider.behave(null)
      },
    }),
  ),
  {
    name: 'streams that nobody reads',
    async strike({ provider, replicas, key, lasts }) {
      provider.behave(badAnswers['never ends its stream'] ?? null)
      const sockets = Array.from({ length: 20 }, () => openUnread(replicas.address() ?? '', key))
      await lasts()
      provider.behave(null)
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'burst of 1,000 connections',
    async strike({ replicas }) {
      const address = new URL(replicas.address() ?? '')
      const sockets = Array.from({ length: 1_000 }, () => {
        const socket = connect(Number(address.port), address.hostname)
        socket.on('error', () => undefined)
        return socket
      })
      await Promise.all(
        sockets.map(
          (socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve)),
        ),
      )
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'schema migrated under load',
    async strike({ postgres, replicas }) {
      const dataDir = replicas.any().dataDir
      const { exitCode, stderr } = await runCommand(['migrate'], {
        DATABASE_URL: postgres.url,
        TALLYSTICK_DATA_DIR: dataDir,
      })
      if (exitCode !== 0) throw new Error(stderr)
    },
  },
]

async function setReadOnly(postgres: House['postgres'], value: 'on' | 'off'): Promise<void> {
  const client = await postgres.connect()
  await client.query('set default_transaction_read_only = off')
  await client.query(`alter system set default_transaction_read_only = ${value}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

async function pauseReplica({ replicas }: House, wait: () => Promise<void>): Promise<void> {
  const pid = replicas.any().process?.pid
  if (pid === undefined) return
  process.kill(pid, 'SIGSTOP')
  await wait()
  process.kill(pid, 'SIGCONT')
}

/** One replica is started with a clock that can be set, and it is set while it serves. */
async function withClock({ replicas, lasts, recovered }: House, offset: string): Promise<void> {
  const replica = replicas.any()
  const file = join(replica.dataDir, 'clock')
  await writeFile(file, '+0s')
  await replicas.end(replica, 'SIGTERM')
  replica.env = {
    LD_PRELOAD: fakeTime ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  await replicas.run(replica)
  await recovered()
  await writeFile(file, offset)
  await lasts()
  await writeFile(file, '+0s')
  await replicas.end(replica, 'SIGTERM')
  replica.env = {}
  await replicas.run(replica)
}

/** One replica has a disk of its own, of a megabyte, which is full, or read-only, while the database goes away and comes back. */
async function onSmallDisk(
  { replicas, postgres, lasts, recovered }: House,
  mode: 'rw' | 'ro',
): Promise<void> {
  const replica = replicas.any()
  await replicas.end(replica, 'SIGTERM')
  mountDisk(replica.dataDir, 'size=1m,mode=0700')
  try {
    await replicas.run(replica)
    await recovered()
    const ballast = join(replica.dataDir, 'ballast')
    if (mode === 'rw') await writeFile(ballast, Buffer.alloc(2 << 20)).catch(() => undefined)
    else mountDisk(replica.dataDir, 'remount,ro')
    await postgres.end('SIGKILL')
    await lasts()
    await postgres.start()
    if (mode === 'rw') await rm(ballast, { force: true })
    else mountDisk(replica.dataDir, 'remount,rw')
    await recovered()
  } finally {
    await replicas.end(replica, 'SIGTERM')
    unmountDisk(replica.dataDir)
    await replicas.run(replica)
  }
}

function openUnread(address: string, key: string) {
  const { port, hostname } = new URL(address)
  const body = JSON.stringify({
    model: 'gpt-4o-mini',
    stream: true,
    messages: [{ role: 'user', content: 'unread' }],
  })
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

import { setTimeout as pause } from 'node:timers/promises'
import { random } from '../../harness/run/seed.js'
import { type Fault, noAlert } from './fault.js'

export const databaseFaults: readonly Fault[] = [
  {
    name: 'the database is restarted',
    expected: { ...noAlert('failover.md#failover'), mayName: ['database_unreachable', 'serving_lock_lost'] },
    async strike({ postgres }) {
      await postgres.end('SIGINT')
      await postgres.start()
    },
  },
  {
    name: 'the database goes away while answers are in progress',
    expected: {
      causes: ['database_unreachable', 'spool_not_drained'],
      alerts: ['TallystickDatabaseDown', 'TallystickSpoolNotDrained'],
    },
    async strike({ postgres, provider, lasts }) {
      provider.delay(700)
      await pause(700)
      await postgres.end('SIGKILL')
      await lasts()
      provider.delay(0)
      await postgres.start()
    },
  },
  {
    name: 'the network to the database drops packets',
    expected: { causes: ['database_hung'], alerts: ['TallystickDatabaseHung'] },
    async strike({ postgres, lasts }) {
      postgres.relay.hang()
      await lasts()
      postgres.relay.restore()
    },
  },
  {
    name: 'each answer of the database takes 600 ms',
    expected: { causes: [], alerts: ['TallystickDatabaseSlow'] },
    async strike({ postgres, lasts }) {
      postgres.relay.delay(600)
      await lasts()
      postgres.relay.restore()
    },
  },
  {
    name: 'connections to the database are cut five times',
    expected: { ...noAlert('failover.md#failover'), mayName: ['database_unreachable'] },
    async strike({ postgres }) {
      for (let i = 0; i < 5; i++) {
        postgres.relay.cut()
        await pause(200 + random() * 500)
      }
    },
  },
  {
    name: 'another client locks the table of receipts',
    expected: {
      causes: ['record_not_writable', 'database_hung'],
      alerts: ['TallystickRecordNotWritable', 'TallystickDatabaseHung'],
    },
    async strike({ postgres, lasts }) {
      const client = await postgres.connect()
      await client.query('begin')
      await client.query('lock table receipts in access exclusive mode')
      // A statement that waits is given up after ten seconds.
      await pause(11_000)
      await lasts()
      await client.query('rollback')
      await client.end()
    },
  },
]

import { type Fault, noAlert } from './fault.js'

export const redisFaults: readonly Fault[] = [
  {
    name: 'Redis is restarted empty',
    expected: noAlert('failover.md#failover'),
    async strike({ redis }) {
      await redis.restart()
    },
  },
  {
    name: 'Redis is flushed',
    expected: noAlert('failover.md#failover'),
    async strike({ redis }) {
      await redis.client.flushall()
    },
  },
]

import { connect } from 'node:net'
import { badAnswers } from '../provider.js'
import { type Fault, noAlert } from './fault.js'

export const loadFaults: readonly Fault[] = [
  {
    name: 'callers leave 20 endless streams unread',
    expected: noAlert('troubleshooting.md#in-the-log'),
    async strike({ provider, replicas, key, lasts }) {
      provider.behave(badAnswers['never ends its stream'] ?? null)
      const sockets = Array.from({ length: 20 }, () => openUnread(replicas.address() ?? '', key))
      await lasts()
      provider.behave(null)
      for (const socket of sockets) socket.destroy()
    },
  },
]

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

import type { Duplex } from 'node:stream'

/**
 * Exchanges messages over a stream. Everything that is sent in one turn of the event loop is written as one line of JSON: at 32 calls at a
 * time that is one write for several calls, which costs more than the messages themselves.
 */
export function exchangeMessages<Sent, Received>(
  stream: Duplex,
  onMessage: (message: Received) => void,
): (message: Sent) => void {
  // Bounded: messages of one turn.
  let batch: Sent[] = []
  let incomplete = ''

  function flush(): void {
    const line = `${JSON.stringify(batch)}\n`
    batch = []
    if (stream.writable) stream.write(line)
  }

  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (incomplete + text).split('\n')
    incomplete = lines.pop() ?? ''
    for (const line of lines) {
      const messages: Received[] = JSON.parse(line)
      for (const message of messages) onMessage(message)
    }
  })
  return (message) => {
    if (batch.length === 0) setImmediate(flush)
    batch.push(message)
  }
}

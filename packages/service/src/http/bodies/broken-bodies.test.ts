import { once } from 'node:events'
import { connect } from 'node:net'
import pino from 'pino'
import { expect, test } from 'vitest'
import { createServer } from '../server.js'

test('a caller that disconnects in the middle of a body is not mistaken for an unavailable database', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const app = await createServer({ log, yieldToEventLoop: async () => undefined })
  const failed = new Promise<Error>((resolve) => {
    app.addHook('onError', async (_request, _reply, error) => resolve(error))
  })
  app.post('/things', async () => null)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))

  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    'POST /things HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  )
  await once(app.server, 'request')
  socket.destroy()

  expect(await failed).toMatchObject({ code: 'ECONNRESET', message: 'aborted' })
  // Then it has been rendered, too.
  await app.close()
  expect(lines).toEqual([])
})

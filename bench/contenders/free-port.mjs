import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of this machine that nobody listens on, for programs that cannot choose one themselves. @returns {Promise<number>} */
export async function findFreePort() {
  const probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  const address = probe.address()
  await once(probe.close(), 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1')
  return address.port
}

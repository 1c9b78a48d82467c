// A network of 1 ms there and back in front of a database: connections to this port reach the one in the arguments. The way back takes all of
// it, since a timer cannot wait for half a millisecond; who waits for an answer notices no difference.
import { connect, createServer } from 'node:net'

const [port = '', roundTripMs = '1'] = process.argv.slice(2)

const server = createServer({ noDelay: true }, (caller) => {
  const database = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
  caller.pipe(database)
  // Timers of the same length end in the order in which they began: bytes stay in their order.
  database.on('data', (chunk) => setTimeout(() => caller.write(chunk), Number(roundTripMs)))
  database.once('close', () => setTimeout(() => caller.destroy(), Number(roundTripMs)))
  caller.once('close', () => database.destroy())
  for (const socket of [caller, database]) socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
process.once('disconnect', () => process.exit())

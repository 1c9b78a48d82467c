/**
 * Listens on a free port, tells the parent which, and lives no longer than the parent does.
 * @param {import('node:http').Server} server
 */
export function serveUntilDisconnected(server) {
  // Connections rest while another contender has its turn; none may be closed under a proxy that keeps it.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
  })
  process.once('disconnect', () => process.exit())
}

/** Returns the code of an error: of the system (`ENOENT`), of Node (`ERR_…`) or of Postgres (`23505`). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(errorCode(error) ?? '')

// SQLSTATE class 08, too many connections (53300), shutdowns (57P01-03), a transaction that was idle for too long (25P03), and sockets
// that are refused, broken or unreachable.
const awayCode =
  /^(08|53300|57P0[1-3]|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/

// Messages of the client about lost connections, which have no code.
const awayMessage =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** Returns whether a query failed because the database is unavailable or the connection is lost. */
export const isDatabaseAway = (error: unknown): boolean =>
  awayCode.test(errorCode(error) ?? '') || (error instanceof Error && awayMessage.test(error.message))

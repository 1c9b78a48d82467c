/** The code that an error carries: of the system (`ENOENT`), of Node (`ERR_…`) or of Postgres (`23505`). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(errorCode(error) ?? '')

// SQLSTATE class 08, a full house (53300), shutdowns (57P01-03), a transaction that was idle for too long (25P03); sockets that are
// refused, broken or lead nowhere.
const awayCode =
  /^(08|53300|57P0[1-3]|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/

// What the client says of a connection that is gone, without a code.
const awayMessage =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** Whether an error of a query says that the database, or the connection to it, is gone. */
export const isDatabaseAway = (error: unknown): boolean =>
  awayCode.test(errorCode(error) ?? '') || (error instanceof Error && awayMessage.test(error.message))

type Write = (context: object, message: string) => void

/** As much of a logger as the ledger needs. */
export interface LedgerLog {
  debug: Write
  warn: Write
  error: Write
}

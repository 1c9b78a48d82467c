type Write = (context: object, message: string) => void

/** The methods of a logger that the ledger uses. */
export interface LedgerLog {
  debug: Write
  warn: Write
  error: Write
}

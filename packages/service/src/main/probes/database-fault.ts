import { errorCode } from '../../shared/error-code.js'
import type { Finding } from './finding.js'

export const hungDatabase: Finding = {
  cause: 'database_hung',
  message:
    'The database does not answer: it hangs, is overloaded, or the network drops its packets. Check its process, disk and locks',
}

// Probes need no key, so a message names the code of an error and not its text, which may contain names of users and hosts.
const faults: { pattern: RegExp; cause: Finding['cause']; message: string }[] = [
  {
    pattern: /^53300$/,
    cause: 'database_exhausted',
    message:
      'The database accepts no more connections. Raise its max_connections, or end connections of other programs',
  },
  {
    pattern: /^25006$/,
    cause: 'database_read_only',
    message:
      'The database is read-only: it is a standby, or default_transaction_read_only is on. Lead DATABASE_URL to the primary, or make it writable',
  },
  {
    pattern: /^53100$/,
    cause: 'database_full',
    message: 'The disk of the database is full. Free space there',
  },
  {
    pattern: /^(42P01|42703|42883)$/,
    cause: 'schema_refused',
    message:
      'The database does not have the schema of this version. Run tallystick migrate, or start the version that fits it',
  },
  {
    pattern: /^57P03$/,
    cause: 'database_unreachable',
    message: 'The database is starting, stopping or recovering. Nothing here needs a restart',
  },
  {
    pattern: /^(28|3D|42501)/,
    cause: 'database_unreachable',
    message:
      'The database refuses this user, password or database. Check DATABASE_URL and the rights of its user',
  },
  {
    pattern: /^(ETIMEDOUT|55P03|57014)$/,
    ...hungDatabase,
  },
]

// The pool and the client report these without a code.
const timeout =
  /timeout exceeded when trying to connect|connection timeout|read timeout|timeout expired|does not answer|no answer/i

/** Describes why the database cannot be used, from the error of a query or a connection. */
export function describeDatabaseFault(error: unknown): Finding {
  const code = errorCode(error) ?? errorCode(error instanceof Error ? error.cause : null)
  const found = faults.find(({ pattern }) => code !== undefined && pattern.test(code))
  if (found) return { cause: found.cause, message: found.message }
  if (error instanceof Error && timeout.test(error.message)) return hungDatabase
  return {
    cause: 'database_unreachable',
    message: `The database cannot be reached${code === undefined ? '' : ` (${code})`}. Start it, or check DATABASE_URL and the network; nothing here needs a restart`,
  }
}

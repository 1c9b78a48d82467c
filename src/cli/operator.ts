import { hostname, userInfo } from 'node:os'

/** Who runs a command, for the record: the name of the account and of the machine. */
export function describeOperator(): string {
  return `${accountName()}@${hostname()}`
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // An account without a name, as in a container with an arbitrary user id.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

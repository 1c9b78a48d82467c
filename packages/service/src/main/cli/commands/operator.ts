import { hostname, userInfo } from 'node:os'

/** Describes the operator for the record, by account and host name. */
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

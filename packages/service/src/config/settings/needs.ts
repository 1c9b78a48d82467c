import type { ReadVariable } from './variables.js'

/** Settings that some commands need and others do without. Those that a command does not need are not read at all. */
export type CommandNeed =
  | 'REDIS_URL'
  | 'TALLYSTICK_BACKUP_PASSPHRASE'
  | 'TALLYSTICK_CONFIG'
  | 'TALLYSTICK_MASTER_KEY'
  | 'TALLYSTICK_SIGNING_KEY'
  | 'TALLYSTICK_TLS_CERTIFICATE'
  | 'TALLYSTICK_TLS_KEY'

/** Secrets, and what belongs to them. Where the database is, and how to print, is needed by every command. */
const optional =
  /^(REDIS_URL|OTEL_.*|AWS_.*|HTTPS?_PROXY|https?_proxy|[A-Z]+_API_KEY|[A-Z]+_BASE_URL|TALLYSTICK_(CONFIG|MASTER_KEY|SIGNING_KEY|BACKUP_PASSPHRASE|BOOTSTRAP_KEY|DATABASE_READ_URL|OIDC_CLIENT_SECRET|PACKS_DIR|TLS_.*))$/

/** Reads only what a command needs; everything when `needs` is null. */
export function readNeeded(read: ReadVariable, needs: readonly CommandNeed[] | null): ReadVariable {
  if (needs === null) return read
  const needed: readonly string[] = needs
  return (name) => (optional.test(name) && !needed.includes(name) ? null : read(name))
}

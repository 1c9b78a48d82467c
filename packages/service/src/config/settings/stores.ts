import { readWholeNumber } from './integer.js'
import type { ReadVariable } from './variables.js'

/** Reads where the database and Redis are. */
export function readStores(read: ReadVariable, faults: string[]) {
  const readPostgresUrl = (name: string) => readUrl(read(name), ['postgres:', 'postgresql:'], name, faults)
  const directUrl = readPostgresUrl('TALLYSTICK_DATABASE_DIRECT_URL')
  if (directUrl !== null && read('DATABASE_URL') === null)
    faults.push('TALLYSTICK_DATABASE_DIRECT_URL: needs DATABASE_URL, the pooler that it leads past')
  const readReplicaUrl = readPostgresUrl('TALLYSTICK_DATABASE_READ_URL')
  if (readReplicaUrl !== null && read('DATABASE_URL') === null)
    faults.push('TALLYSTICK_DATABASE_READ_URL: needs DATABASE_URL, the primary of that replica')
  return {
    databaseUrl: readPostgresUrl('DATABASE_URL'),
    databaseDirectUrl: directUrl,
    databaseReadUrl: readReplicaUrl,
    databaseReadMaxLagMs: readWholeNumber('TALLYSTICK_DATABASE_READ_MAX_LAG_MS', read, faults),
    databaseConnections: readWholeNumber('TALLYSTICK_DATABASE_CONNECTIONS', read, faults),
    redisUrl: readUrl(read('REDIS_URL'), ['redis:', 'rediss:'], 'REDIS_URL', faults),
  }
}

function readUrl(text: string | null, protocols: string[], name: string, faults: string[]): string | null {
  if (text === null) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  faults.push(`${name}: must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
  return null
}

import pg from 'pg'
import { connectionSettings, createSocketWithTimeout } from './database.js'

// SUPPORT.md has the same.
const oldestMajor = 15

/** Returns the version of a server, such as `17.2`. */
export async function readServerVersion(url: string): Promise<string> {
  const client = new pg.Client({ ...connectionSettings(url), stream: () => createSocketWithTimeout() })
  // A broken connection fails the statement in progress, which reports it. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version') as version",
    )
    return rows[0]?.version ?? ''
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns what to do about a version that is too old. Null for a supported one. */
export const faultInVersion = (version: string): string | null =>
  Number.parseInt(version, 10) >= oldestMajor
    ? null
    : `PostgreSQL ${version} is not supported; use PostgreSQL ${oldestMajor} or newer`

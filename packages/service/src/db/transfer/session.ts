import pg from 'pg'
import { connectionSettings, createSocketWithTimeout } from '../connection/database.js'

/** An index or a foreign key of a large table is made in one statement, during which nothing arrives. */
const answerTimeoutMs = 4 * 3_600_000

// `transaction_timeout` exists since PostgreSQL 17, so each is set where it exists. A role or a database may limit all sessions.
const setUp = `
  select set_config(name, '0', false) from pg_settings where name in
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout');
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1`

/** Runs `act` on a connection of its own. The session ends with it, so an open transaction is rolled back when `act` throws. */
export async function withTransferSession<T>(
  url: string,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connectionSettings(url),
    application_name: 'tallystick transfer',
    stream: () => createSocketWithTimeout(answerTimeoutMs),
  })
  // A broken connection fails the statement under way, which reports it. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(setUp)
    return await act(client)
  } finally {
    await client.end()
  }
}

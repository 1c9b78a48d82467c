import type pg from 'pg'
import { within } from '../../shared/deadline.js'

/** Rejects unless the server answers in time. */
export async function requireAnswer(client: pg.Client, timeoutMs: number): Promise<void> {
  await within(timeoutMs, client.query('select true'), () => new Error('The database does not answer'))
}

import type pg from 'pg'
import { within } from '../../shared/deadline.js'

/** Rejects unless the server answers in time. */
export async function requireLiveness(client: pg.Client, withinMs: number): Promise<void> {
  await within(withinMs, client.query('select true'), () => new Error('The database does not answer'))
}

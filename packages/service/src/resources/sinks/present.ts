import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { Sink } from './schema.js'
import { openSinkSecrets } from './secrets.js'
import type { SinkRow, SinkView } from './store.js'

/** The settings of a sink, without its current state, which is not part of a change. */
export async function presentSettings(row: SinkRow, secrets: Secrets): Promise<Omit<Sink, 'state'>> {
  const opened = await openSinkSecrets(secrets, row)
  const {
    type,
    url,
    region = null,
    bucket = null,
    prefix = null,
    accessKeyId = null,
    ca = null,
  } = row.destination
  const headers = opened === undecryptable ? [] : Object.keys(opened.headers ?? {}).sort()
  return {
    id: row.id,
    name: row.name,
    data: row.data,
    format: row.format,
    destination: { type, url, region, bucket, prefix, accessKeyId, ca, headers },
    intervalSeconds: row.interval_s,
    enabled: row.enabled,
    secretStatus: opened === undecryptable ? undecryptable : 'ok',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export async function presentSink(row: SinkView, secrets: Secrets): Promise<Sink> {
  const { createdAt, updatedAt, ...settings } = await presentSettings(row, secrets)
  return {
    ...settings,
    state: {
      position: row.position,
      exported: row.exported,
      lagSeconds: row.enabled ? row.lag_seconds : null,
      lastSuccessAt: row.last_success_at?.toISOString() ?? null,
      lastError: row.last_error,
      lastErrorAt: row.last_error_at?.toISOString() ?? null,
    },
    createdAt,
    updatedAt,
  }
}

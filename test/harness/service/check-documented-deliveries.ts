import { Value } from 'typebox/value'
import { envelopeSchemas } from '../../../packages/service/src/resources/webhooks/alerts/payloads.js'
import type { TestDatabase } from './database.js'

/** What is wrong with the data of an event, by the schema that the document has for it. */
export function findFaultsOf(event: string, data: unknown): string[] {
  const schema = envelopeSchemas.get(event)
  if (schema === undefined) return [`no webhook ${event}`]
  const envelope = { id: 'dlv_1', event, created: new Date().toISOString(), data }
  const known = new Set(Object.keys(schema.properties.data.properties))
  const unknown = Object.keys(Object(data)).filter((name) => !known.has(name))
  return [
    ...Value.Errors(schema, envelope).map(
      ({ instancePath, message }) => `${event}${instancePath} ${message}`,
    ),
    ...unknown.map((name) => `${event}/data/${name} is not described`),
  ]
}

/** Says what the deliveries and alerts of a service, or of one of its tenants, hold that the document does not describe. */
export async function findUndescribedDeliveries(
  database: TestDatabase,
  tenantId: string | null = null,
): Promise<string[]> {
  const rows = await database.query<{ event: string; data: string }>(
    `select distinct event, data
     from (select tenant_id, event, data from webhook_deliveries
           union all select tenant_id, event, data from alerts) as sent
     where $1::text is null or tenant_id = $1 limit 1000`,
    [tenantId],
  )
  return [...new Set(rows.flatMap(({ event, data }) => findFaultsOf(event, JSON.parse(data))))]
}

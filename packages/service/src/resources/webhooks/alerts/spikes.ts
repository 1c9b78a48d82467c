import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { insertOccurrences } from './insert-occurrences.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The last hour is that of `GET /v1/usage?range=1h`: 60 minutes, including the current one. Its baseline is the
 * hourly mean of the 24 whole clock hours before the one in which it starts. An hour without calls counts as zero,
 * and so does the time before the tenant's first call.
 */
export function spikeWindows(now: Date) {
  const lastHour = Math.floor(now.getTime() / minuteMs) * minuteMs - 59 * minuteMs
  const baselineEnd = Math.floor(lastHour / hourMs) * hourMs
  return {
    lastHour: new Date(lastHour),
    baselineStart: new Date(baselineEnd - 24 * hourMs),
    baselineEnd: new Date(baselineEnd),
    /** The current clock hour: there is one alert in each. */
    hour: new Date(Math.floor(now.getTime() / hourMs) * hourMs),
  }
}

/**
 * A spike is at least 20 calls in the last hour, and at least three times the baseline. For a baseline of zero the ratio is
 * computed as if it were one call an hour, so that it is a number.
 */
export async function checkSpikes(db: Db, now: Date): Promise<void> {
  const subscribed = sql`array(select tenant_id from webhook_endpoints
    where deleted_at is null and enabled and 'anomaly.usage_spike' = any(events))`
  await sql`with ${findSpikes(subscribed, now)}, ${sql.raw(insertOccurrences(null))}`.execute(db)
}

/** Returns the CTE `found`, for `insertOccurrences`, with the spikes of some tenants. */
export function findSpikes(tenantIds: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  const { lastHour, baselineStart, baselineEnd, hour } = spikeWindows(now)
  const hourText = hour.toISOString()
  return sql`volumes as materialized (
      select t.tenant_id,
        (select coalesce(sum(m.requests), 0) from usage_minutes m
         where m.tenant_id = t.tenant_id and m.minute >= ${lastHour}) as last_hour,
        (select coalesce(sum(h.requests), 0) / 24 from usage_hours h
         where h.tenant_id = t.tenant_id and h.hour >= ${baselineStart} and h.hour < ${baselineEnd}) as baseline
      from (select distinct tenant_id from unnest(${tenantIds}) as tenant_id) as t
    ),
    found as (
      select tenant_id, ${`spike:${hourText}`}::text as key, 'anomaly.usage_spike' as event,
        ${new Date(hour.getTime() + hourMs)}::timestamptz as keep_until,
        json_build_object(
          'message', format('%s calls in the last hour, against %s an hour in the 24 hours before', last_hour,
            trim_scale(round(baseline, 2))),
          'requests_last_hour', last_hour,
          'baseline_per_hour', trim_scale(round(baseline, 2)),
          'ratio', trim_scale(round(last_hour / coalesce(nullif(baseline, 0), 1), 2)),
          'hour', ${hourText}::text)::text as data
      from volumes where last_hour >= 20 and last_hour >= 3 * baseline
    )`
}

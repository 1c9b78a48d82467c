/**
 * Ends a statement whose CTE `found` has rows (tenant_id, key, event, data, keep_until), each key once: makes them
 * occurrences, unless the tenant was told already, with a delivery to every endpoint that listens, and wakes the
 * workers. What nobody listens to has not occurred: it is told once somebody does, if it still holds then.
 *
 * In the order of the keys, so that a receipt and the watch that find the same things never wait for each other in a circle.
 */
export const alertOnce = `
  fresh as (
    insert into webhook_occurrences (tenant_id, key, event, keep_until)
    select tenant_id, key, event, keep_until from found
    where exists (
      select from webhook_endpoints e
      where e.tenant_id = found.tenant_id and e.deleted_at is null and e.enabled and found.event = any(e.events))
    order by tenant_id, key
    on conflict do nothing
    returning tenant_id, key
  ),
  made as (
    insert into webhook_deliveries (endpoint_id, tenant_id, event, data)
    select e.id, e.tenant_id, found.event, found.data
    from fresh
    join found using (tenant_id, key)
    join webhook_endpoints e
      on e.tenant_id = found.tenant_id and e.deleted_at is null and e.enabled and found.event = any(e.events)
    returning tenant_id
  )
  select pg_notify('tallystick_changes', 'webhook_deliveries:' || tenant_id)
  from (select distinct tenant_id from made) as told`

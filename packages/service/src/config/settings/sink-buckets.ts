const name = 'TALLYSTICK_SINK_BUCKETS'

/** A bucket that sinks of a tenant may write to with the identity of this machine. */
export interface SinkBucket {
  tenant: string
  bucket: string
}

/** Reads pairs of a tenant and a bucket, such as `default/acme-ai-calls`. */
export function readSinkBuckets(read: (name: string) => string | null, faults: string[]): SinkBucket[] {
  const pairs = (read(name) ?? '').split(',').flatMap((pair) => pair.trim() || [])
  return pairs.flatMap((pair) => {
    const slash = pair.lastIndexOf('/')
    const [tenant, bucket] = [pair.slice(0, Math.max(0, slash)), pair.slice(slash + 1)]
    if (tenant !== '' && /^[A-Za-z0-9._-]{3,255}$/.test(bucket)) return [{ tenant, bucket }]
    faults.push(`${name}: must be tenant/bucket pairs, separated by commas`)
    return []
  })
}

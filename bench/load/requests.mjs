/** @typedef {Record<string, string>} Headers */

/**
 * The headers of one call after the other.
 * @param {Headers | readonly Headers[]} headers @returns {() => Headers}
 */
export function createHeaders(headers) {
  const all = [headers].flat().map((each) => ({ ...each, 'content-type': 'application/json' }))
  // Each run begins somewhere else, so that short runs do not always meet the same ones.
  let next = Math.floor(Math.random() * all.length)
  return () => /** @type {Headers} */ (all[next++ % all.length])
}

/** @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

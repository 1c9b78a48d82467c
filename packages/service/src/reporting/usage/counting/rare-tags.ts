import type { CountedCalls } from './counted-calls.js'

// A tag whose value differs from call to call would make a row of each call in the hours. So an hour keeps a number of
// different tags; further calls of the hour are counted with these tags instead, and reports by tag read the calls of
// such an hour.

export const maxTagSets = 1_000

/** No caller can send them: the name of a tag is never empty. */
export const rareTags = '{"":""}'

/** Replaces the tags of an hour's calls that are beyond the bound. */
export function boundTags(calls: readonly CountedCalls[], max = maxTagSets): CountedCalls[] {
  const known = new Set<string>()
  return calls.map((call) => {
    const tags = JSON.stringify(Object.entries(call.dimensions.tags).sort())
    if (tags === '[]' || known.has(tags)) return call
    if (known.size < max) {
      known.add(tags)
      return call
    }
    return { ...call, dimensions: { ...call.dimensions, tags: { '': '' } } }
  })
}

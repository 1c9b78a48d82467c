import type { Finding } from './finding.js'

/**
 * No finding is longer than this, and none depends on text further away from its beginning than this, on either side.
 *
 * Private keys and JSON web tokens take 8,192 of it. The rest is for all others: the longest is 600 characters, it may give way
 * to a stronger one beside it, that to another, 1,700 in all, three times that with invisible characters in between.
 */
export const reach = 13_312

/** At the slowest text that we could think of, this and what is read around it took 15 ms; prose takes 1 ms. */
const defaultSliceLength = 32_768

/**
 * The findings of a long text, a slice at a time, so that the caller can give way to others in between. Together they
 * are exactly those of the whole text.
 */
export function* findInSlices(
  text: string,
  find: (slice: string) => Finding[],
  sliceLength = defaultSliceLength,
): Generator<Finding[]> {
  for (let from = 0; from < text.length; from += sliceLength) {
    const to = from + sliceLength
    const offset = Math.max(0, from - reach)
    yield find(text.slice(offset, to + reach))
      .map((finding) => ({ ...finding, start: finding.start + offset, end: finding.end + offset }))
      .filter(({ start }) => start >= from && start < to)
  }
}

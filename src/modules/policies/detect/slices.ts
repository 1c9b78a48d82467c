import type { Finding } from './finding.js'

/**
 * No finding is longer than this, and none depends on text further away from its beginning than this, on either side. It is
 * this long for private keys; see the guide.
 */
export const reach = 16_384

/**
 * The findings of a long text, a slice at a time, so that the caller can give way to others in between. Together they
 * are exactly those of the whole text.
 */
export function* findInSlices(
  text: string,
  find: (slice: string) => Finding[],
  sliceLength = 65_536,
): Generator<Finding[]> {
  for (let from = 0; from < text.length; from += sliceLength) {
    const to = from + sliceLength
    const offset = Math.max(0, from - reach)
    yield find(text.slice(offset, to + reach))
      .map((finding) => ({ ...finding, start: finding.start + offset, end: finding.end + offset }))
      .filter(({ start }) => start >= from && start < to)
  }
}

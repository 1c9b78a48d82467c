import type { Finding } from './finding.js'
import { findPii, type PiiEntity } from './pii/index.js'
import { findSecrets } from './secrets/index.js'

/**
 * No finding is longer than this, and none depends on text further away from its beginning than this, on either side.
 *
 * Private keys and JSON web tokens take 8,192 of it. The rest is for all others: the longest is 600 characters, it may give way
 * to a stronger one beside it, that to another, 1,700 in all, three times that with invisible characters in between.
 */
export const reach = 13_312

/** The same for personal data alone: 650 characters, three times that with invisible ones. */
export const piiReach = 2048

/** The slowest texts that we could think of take 0.4 µs a character: a slice of them, with what is read around it, 10 ms. */
const sliceLength = 16_384

/**
 * The findings of a long text, a slice at a time, so that the caller can let others have their turn in between. Together they
 * are exactly those of the whole text.
 */
export const findPiiInSlices = (text: string, entities: ReadonlySet<PiiEntity>): Generator<Finding[]> =>
  findInSlices(text, (slice) => findPii(slice, entities), piiReach)

export const findSecretsInSlices = (text: string): Generator<Finding[]> =>
  findInSlices(text, findSecrets, reach)

export function* findInSlices(
  text: string,
  find: (slice: string) => Finding[],
  around: number,
  length = sliceLength,
): Generator<Finding[]> {
  for (let from = 0; from < text.length; from += length) {
    const to = from + length
    const offset = Math.max(0, from - around)
    yield find(text.slice(offset, to + around))
      .map((finding) => ({ ...finding, start: finding.start + offset, end: finding.end + offset }))
      .filter(({ start }) => start >= from && start < to)
  }
}

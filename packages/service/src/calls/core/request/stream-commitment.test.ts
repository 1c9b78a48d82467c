import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { commitTo, newCommitmentKey } from './commitment.js'
import { StreamCommitment } from './stream-commitment.js'

const piece = fc
  .tuple(fc.uint8Array({ maxLength: 50 }), fc.nat(200))
  .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes)))

test('the commitment to pieces is that to all of their bytes', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), piece, (pieces, last) => {
      const key = newCommitmentKey()
      const commitment = new StreamCommitment(key)
      for (const each of pieces) commitment.update(each)
      expect(commitment.end(last)).toBe(commitTo(key, Buffer.concat([...pieces, last])))
    }),
    { numRuns: propertyRuns },
  )
})

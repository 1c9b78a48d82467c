import { expect, test } from 'vitest'
import { countWorkers } from './count-workers.js'

const strict = { strict: true, because: '' }
const trial = { strict: false, because: '' }

test('a service that others can reach has a worker for each of three or four processors, and never more by itself', () => {
  const count = (processors: number) => countWorkers({ workers: 'auto', strictness: strict }, processors)
  expect([1, 1.5, 2, 2.9, 3, 3.5, 4, 64].map(count)).toEqual([1, 1, 1, 1, 3, 3, 4, 4])
})

test('a local trial has one process by default, and an explicit number of workers is always used', () => {
  expect(countWorkers({ workers: 'auto', strictness: trial }, 64)).toBe(1)
  expect(countWorkers({ workers: 12, strictness: trial }, 2)).toBe(12)
  expect(countWorkers({ workers: 1, strictness: strict }, 64)).toBe(1)
})

import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { holdSmallLimits } from '../../harness/billing/check-small-limits.js'
import { shapesOf } from '../../harness/billing/shapes.js'

const { speech, transcripts } = shapesOf
const refused = {
  'speech: by tokens': 404,
  'transcripts: one that is only named': 400,
  'transcripts: a format that does not tell its length': 400,
}
const taken = [...speech, ...transcripts].filter(({ name }) => !Object.hasOwn(refused, name))

describe('budgets hold for speech and recordings', () => holdShapes([...speech, ...transcripts], refused))
describe('limits that are too small for speech and recordings', () => holdSmallLimits(taken, false))

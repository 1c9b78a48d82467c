import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { holdSmallLimits } from '../../harness/billing/check-small-limits.js'
import { shapesOf } from '../../harness/billing/shapes.js'

const refused = {
  'images: by tokens, with what is drawn so far': 400,
  'images: by tokens, streamed': 400,
}
const taken = shapesOf.images.filter(({ name }) => !Object.hasOwn(refused, name))

describe('budgets hold for images', () => holdShapes(shapesOf.images, refused))
describe('limits that are too small for an image', () => holdSmallLimits(taken, false))

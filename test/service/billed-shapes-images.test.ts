import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { shapesOf } from '../harness/billing/shapes.js'

describe('budgets hold for images', () =>
  holdShapes(shapesOf.images, {
    'images: by tokens, with what is drawn so far': 400,
    'images: by tokens, streamed': 400,
  }))

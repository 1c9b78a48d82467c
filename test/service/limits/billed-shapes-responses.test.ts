import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { shapesOf } from '../../harness/billing/shapes.js'

describe('budgets hold for responses', () =>
  holdShapes(shapesOf.responses, {
    // Its answer comes without usage, and nobody is there when it ends.
    'responses: in the background': 400,
  }))

import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { shapesOf } from '../../harness/billing/shapes.js'

describe('budgets hold for chat', () =>
  holdShapes(shapesOf.chat, {
    'chat: a maximum given twice': 400,
  }))

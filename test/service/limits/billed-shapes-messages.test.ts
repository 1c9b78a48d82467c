import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { shapesOf } from '../../harness/billing/shapes.js'

describe('budgets hold for messages', () =>
  holdShapes(shapesOf.messages, { 'messages: an advisor of another price': 400 }))

import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { shapesOf } from '../harness/billing/shapes.js'

describe.runIf(process.env.BILLED === 'yes')('budgets hold for messages', () => holdShapes(shapesOf.messages))

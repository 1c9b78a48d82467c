import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { chatShapes } from '../harness/billing/shapes/chat.js'

describe.runIf(process.env.BILLED === 'yes')('budgets hold for chat', () => holdShapes(chatShapes))

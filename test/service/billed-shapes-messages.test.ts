import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { messagesShapes } from '../harness/billing/shapes/messages.js'

describe.runIf(process.env.BILLED === 'yes')('budgets hold for messages', () => holdShapes(messagesShapes))

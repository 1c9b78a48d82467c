import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { shapesOf } from '../../harness/billing/shapes.js'

const { rerank, moderations, counts } = shapesOf

describe('budgets hold for rankings, moderations and counts', () =>
  holdShapes([...rerank, ...moderations, ...counts]))

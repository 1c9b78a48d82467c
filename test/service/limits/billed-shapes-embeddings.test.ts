import { describe } from 'vitest'
import { holdShapes } from '../../harness/billing/check-shape-budgets.js'
import { shapesOf } from '../../harness/billing/shapes.js'

describe('budgets hold for embeddings', () => holdShapes(shapesOf.embeddings))

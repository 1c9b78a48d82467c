import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { embeddingsShapes } from '../harness/billing/shapes/embeddings.js'

describe.runIf(process.env.BILLED === 'yes')('budgets hold for embeddings', () =>
  holdShapes(embeddingsShapes),
)

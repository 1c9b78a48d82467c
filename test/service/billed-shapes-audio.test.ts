import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { shapesOf } from '../harness/billing/shapes.js'

const { speech, transcripts } = shapesOf

describe('budgets hold for speech and recordings', () =>
  holdShapes([...speech, ...transcripts], {
    'speech: by tokens': 404,
    'transcripts: one that is only named': 400,
    'transcripts: a format that does not tell its length': 400,
  }))

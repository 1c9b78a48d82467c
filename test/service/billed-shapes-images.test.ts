import { describe } from 'vitest'
import { holdShapes } from '../harness/billing/hold-shape.js'
import { holdSmallLimits } from '../harness/billing/hold-small-limits.js'
import { shapesOf } from '../harness/billing/shapes.js'

describe('budgets hold for images', () => holdShapes(shapesOf.images))
describe('limits that are too small for an image', () => holdSmallLimits(shapesOf.images, false))

import { describe } from 'vitest'
import { holdSmallLimits } from '../../harness/billing/check-small-limits.js'
import { type Shape, shapesOf } from '../../harness/billing/shapes.js'
import { random } from '../../harness/run/seed.js'
import { isSoak } from '../../harness/run/soak.js'

const { chat, responses, messages, completions, embeddings, rerank, moderations } = shapesOf
const refused = new Set([
  'chat: a maximum given twice',
  'responses: in the background',
  'messages: an advisor of another price',
])

/** Another fifth in each run; all of them in `npm run soak`. */
const some = (shapes: readonly Shape[]) =>
  shapes.filter(({ name }) => !refused.has(name) && (isSoak || random() < 1 / 5))

describe('budgets that are too small for a text', () =>
  holdSmallLimits(some([...chat, ...responses, ...messages, ...completions]), true))

describe('budgets that are too small for what has no output', () =>
  holdSmallLimits(some([...embeddings, ...rerank, ...moderations]), false))

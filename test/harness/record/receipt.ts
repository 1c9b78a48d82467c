import { newId } from '../../../packages/service/src/db/index.js'
import type { NewReceipt } from '../../../packages/service/src/record/index.js'

export type TestReceipt = NewReceipt

/** A receipt of a plain call, with what the test says of it. */
export function newReceipt(tenantId: string, draft: Partial<TestReceipt['draft']> = {}): TestReceipt {
  return {
    tenantId,
    commitmentKey: Buffer.alloc(32, 7),
    draft: {
      id: newId('req'),
      ts: new Date().toISOString(),
      kind: 'model',
      key: 'key_1',
      provider: 'mock',
      model: 'echo',
      inputTokens: 3,
      outputTokens: 5,
      cachedTokens: 0,
      costNanos: 13,
      latencyMs: 20,
      stream: false,
      status: 200,
      outcome: 'ok',
      ...draft,
    },
  }
}

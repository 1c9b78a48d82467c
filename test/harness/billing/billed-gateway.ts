import { waitFor } from '../run/wait.js'
import { startTestGateway, type TestGateway } from '../service/gateway.js'
import { itemsOf, type JsonObject } from './json.js'
import type { FormFile, Shape } from './shapes.js'
import { type Bill, type BillingUpstream, startBillingUpstream } from './upstream.js'

/** What the record says of a call. */
export interface Recorded {
  nanos: number
  outcome: string
  usage: string | null
  inputTokens: number
  outputTokens: number
}

export interface BudgetedKey {
  key: string
  keyId: string
  budgetId: string
}

/** A service whose providers bill as the vendors do. */
export interface BilledGateway {
  gateway: TestGateway
  upstream: BillingUpstream
  /** A key with a hard budget of its own. */
  newKey(budgetUsd: number, fields?: JsonObject): Promise<BudgetedKey>
  /** Takes keys and budgets back, all but one: what a tenant has many of, each call looks through. */
  removeKeys(except?: string): Promise<void>
  send(
    shape: Pick<Shape, 'path' | 'headers' | 'write' | 'files'>,
    body: JsonObject,
    key: string,
    signal?: AbortSignal,
  ): Promise<Response>
  /** Hangs up. Resolves when the service has seen it: it answers others meanwhile. */
  leave(caller: AbortController): Promise<void>
  /** The body of a shape, after the calls that come before it. */
  prepare(shape: Shape, key: string): Promise<JsonObject>
  /** What the record says of a call, waited for. */
  recorded(response: Response): Promise<Recorded>
  /** The same, of the only call of a key. */
  recordedOf(keyId: string): Promise<Recorded>
  /** What the one call that is under way has reserved, in nanodollars. */
  reserved(): Promise<number>
  stop(): Promise<void>
}

interface CostOfDraft {
  costNanos?: number
  outcome?: string
  usage?: string
  inputTokens?: number
  outputTokens?: number
}

/** A provider of the same prices that is given up when it is silent for so long. */
const impatient = { pricesOf: 'openai', timeouts: { firstByteMs: 300 } }

export async function startBilledGateway(): Promise<BilledGateway> {
  const upstream = await startBillingUpstream()
  // A slow machine may take long to read on to the end of an answer.
  const timeouts = { hangUpGraceMs: 120_000 }
  // The shapes name files and answers that the vendor's model of this test knows, and that were not issued by it before.
  const references = 'any'
  const openai = {
    type: 'openai',
    baseUrl: `${upstream.url}/v1`,
    apiKey: 'sk-upstream',
    timeouts,
    references,
  }
  const gateway = await startTestGateway({
    providers: () => ({
      openai,
      anthropic: {
        type: 'anthropic',
        baseUrl: upstream.url,
        apiKey: 'sk-ant-upstream',
        timeouts,
        references,
      },
      xai: { ...openai, dialects: ['chat'] },
      impatient: { ...openai, ...impatient },
      // Its streams are not read on for long when their callers are gone.
      hasty: { ...openai, pricesOf: 'openai', timeouts: { hangUpGraceMs: 300 } },
    }),
    models: {
      'house-ranker': {
        provider: 'openai',
        mode: 'rerank',
        tokenizer: 'o200k',
        price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, feesUsd: { search: 0.002 } },
      },
      'house-token-ranker': {
        provider: 'openai',
        mode: 'rerank',
        tokenizer: 'o200k',
        price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
      },
      'house-judge': {
        provider: 'openai',
        mode: 'moderation',
        tokenizer: 'o200k',
        price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
      },
      'house-model': { provider: 'openai', price: { inputUsdPerMTok: 1, outputUsdPerMTok: 3 } },
    },
  })
  const { service } = gateway
  let names = 0
  const made: BudgetedKey[] = []

  const send: BilledGateway['send'] = ({ path, headers, files, write = String }, body, key, signal) =>
    gateway.send(path, files ? makeForm(body, files) : write(JSON.stringify(body)), {
      key,
      ...(signal && { signal }),
      ...(headers && { headers }),
    })

  async function readReceipt(where: string, value: unknown): Promise<Recorded> {
    const row = await waitFor('the receipt', async () => {
      const sql = `select canonical from receipts where ${where}`
      return (await service.database.query<{ canonical: string }>(sql, [value])).at(0)
    })
    const draft: CostOfDraft = JSON.parse(row.canonical)
    const { outcome = '', usage = null, inputTokens = 0, outputTokens = 0 } = draft
    return { nanos: draft.costNanos ?? 0, outcome, usage, inputTokens, outputTokens }
  }

  return {
    gateway,
    upstream,
    send,
    async newKey(budgetUsd, fields = {}) {
      const name = `billed ${++names}`
      // One person's, so that each key may go on from what another began.
      const { body: key } = await service.api.post('/v1/keys', { name, userId: 'billed', ...fields })
      const budget = await service.api.post('/v1/budgets', {
        name,
        scope: { type: 'key', id: key.id },
        amountUsd: budgetUsd,
        period: 'total',
      })
      if (budget.status !== 201) throw new Error(`no budget: ${JSON.stringify(budget.body)}`)
      const one: BudgetedKey = { key: key.key, keyId: key.id, budgetId: budget.body.id }
      made.push(one)
      return one
    },
    async removeKeys(except) {
      for (const { key, keyId, budgetId } of made.splice(0)) {
        if (key === except) continue
        await service.api.delete(`/v1/budgets/${budgetId}`)
        await service.api.delete(`/v1/keys/${keyId}`)
      }
    },
    async leave(caller) {
      caller.abort()
      for (let round = 0; round < 3; round++) await (await fetch(`${service.address}/healthz`)).text()
    },
    async prepare(shape, key) {
      const members = await shape.setup?.(async (first) => {
        const response = await send(shape, first, key)
        const text = await response.text()
        if (response.status !== 200) throw new Error(`the call before was refused: ${text}`)
        return JSON.parse(text)
      })
      return { ...shape.body, ...members }
    },
    recorded: (response) => readReceipt('request_id = $1', response.headers.get('x-tallystick-request-id')),
    recordedOf: (keyId) => readReceipt("canonical::json ->> 'key' = $1", keyId),
    async reserved() {
      const rows = await service.database.query<{ draft: string }>('select draft from open_calls')
      const [row] = rows
      if (!row || rows.length > 1) throw new Error(`${rows.length} calls are under way`)
      const draft: CostOfDraft = JSON.parse(row.draft)
      return draft.costNanos ?? 0
    },
    async stop() {
      await gateway.stop()
      await upstream.close()
    },
  }
}

function makeForm(body: JsonObject, files: readonly FormFile[]): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    for (const each of itemsOf(value)) form.append(name, String(each))
  for (const { field, filename, type, bytes } of files)
    form.append(field, new Blob([bytes], { type }), filename)
  return form
}

/** In nanodollars. */
export const sumOfBills = (bills: readonly Bill[]): number => bills.reduce((sum, { nanos }) => sum + nanos, 0)

import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import {
  type CapturedAttempt,
  type CapturedText,
  captureBytes,
  storeContent,
} from '../../resources/content/index.js'
import type { Secrets } from '../../secrets/index.js'
import { conversations, toolTexts } from '../company/prompts-and-requests.js'

interface Answered {
  requestId: string
  ts: Date
  userId: string | null
  model: string
  tool: string | null
  isError: boolean
}

/** Stores the content of one in ten of the latest calls. The receipts of those calls state that it was kept. */
export async function fillContent(
  { db, secrets }: { db: Db; secrets: Secrets },
  tenantId: string,
  requestIds: readonly string[],
): Promise<void> {
  const { rows: terms } = await sql<{ modeSeq: number }>`
    select mode_seq as "modeSeq" from content_capture where tenant_id = ${tenantId}`.execute(db)
  const { rows } = await sql<Answered>`
    select request_id as "requestId", ts, user_id as "userId", model, tool, tool_error as "isError" from calls
    where tenant_id = ${tenantId} and request_id = any(${requestIds}) order by ts`.execute(db)
  const modeSeq = terms[0]?.modeSeq ?? 0
  const attempts = rows.map((call, n) => toAttempt(tenantId, modeSeq, call, n))
  for (let start = 0; start < attempts.length; start += 100)
    await storeContent({ db, secrets }, attempts.slice(start, start + 100))
}

function toAttempt(tenantId: string, modeSeq: number, call: Answered, n: number): CapturedAttempt {
  const text = (value: object) => captureBytes(Buffer.from(JSON.stringify(value)))
  return {
    tenantId,
    requestId: call.requestId,
    attempt: 1,
    userId: call.userId,
    capturedAt: call.ts,
    mode: 'redacted',
    modeSeq,
    erasedTo: 0,
    ...(call.tool === null ? sayToModel(call.model, n, text) : sayToTool(call.tool, call.isError, text)),
  }
}

type Sides = Pick<CapturedAttempt, 'request' | 'answer'>
type WriteText = (value: object) => CapturedText

function sayToModel(model: string, n: number, text: WriteText): Sides {
  const [question, answer] = conversations[n % conversations.length] ?? ['', '']
  return {
    request: text({ model, messages: [{ role: 'user', content: question }] }),
    answer: text({
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
    }),
  }
}

function sayToTool(tool: string, isError: boolean, text: WriteText): Sides {
  const [args, said] = toolTexts[tool] ?? [{}, 'Done.']
  const content = [{ type: 'text', text: isError ? 'It took longer than 30 s and was stopped.' : said }]
  return {
    request: text({ method: 'tools/call', params: { name: tool, arguments: args } }),
    answer: text({ result: { content, ...(isError && { isError }) } }),
  }
}

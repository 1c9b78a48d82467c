import type { ServerResponse } from 'node:http'
import type { SeenRequest } from './upstream.js'
import { sendJson } from './upstream.js'

export interface UpstreamLine {
  customId: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  body: any
}

interface KnownBatch {
  id: string
  account: string
  status: string
  lines: UpstreamLine[]
  metadata: unknown
  output_file_id: string | null
  error_file_id: string | null
}

/** What a line is answered with; null: it is left out. */
type AnswerLine = (line: UpstreamLine) => { status: number; body: object } | null

/** Files and batches as OpenAI's API has them, in memory, for one account per credential. */
export class BatchProvider {
  readonly files = new Map<string, { account: string; content: string }>()
  readonly batches = new Map<string, KnownBatch>()
  /** Called before anything is answered; true: it has answered itself. */
  intercept: ((request: SeenRequest, response: ServerResponse) => boolean) | null = null
  /** How many requests each kind of question had, by `METHOD /path`. */
  readonly asked: string[] = []
  #count = 0

  /** For `upstream.answerWith`. */
  readonly script = (request: SeenRequest, response: ServerResponse): void => {
    const path = request.path.replace(/^\/v1/, '').replace(/\?.*$/, '')
    this.asked.push(`${request.method} ${path.replace(/(file|batch)-\d+/, '$1-N')}`)
    if (this.intercept?.(request, response)) return
    const account = String(request.headers.authorization)
    const [, kind = '', id = '', action = ''] = path.split('/')
    const answered =
      kind === 'files' ? this.#file(request, account, id, action) : this.#batch(request, account, id, action)
    if (answered === null)
      sendJson(response, 404, { error: { message: `no such ${kind} in the account sk-secret` } })
    else if (typeof answered === 'string')
      response.writeHead(200, { 'content-type': 'application/jsonl' }).end(answered)
    else sendJson(response, 200, answered)
  }

  /** The only one, or the last. */
  get last(): KnownBatch {
    const batch = [...this.batches.values()].at(-1)
    if (!batch) throw new Error('there is no batch')
    return batch
  }

  /** Ends a batch with answers to its lines. */
  end(answer: AnswerLine, status = 'completed', batch = this.last): void {
    const outputs: object[] = []
    const errors: object[] = []
    for (const line of batch.lines) {
      const answered = answer(line)
      if (answered === null) continue
      const response = { status_code: answered.status, request_id: 'req-upstream', body: answered.body }
      const written = { id: `batch_req_${++this.#count}`, custom_id: line.customId, response, error: null }
      ;(answered.status < 400 ? outputs : errors).push(written)
    }
    // Answers come in any order.
    batch.output_file_id = this.#store(batch.account, outputs.reverse())
    batch.error_file_id = this.#store(batch.account, errors)
    batch.status = status
  }

  #store(account: string, lines: object[]): string | null {
    if (lines.length === 0) return null
    const id = `file-${++this.#count}`
    this.files.set(id, { account, content: lines.map((line) => `${JSON.stringify(line)}\n`).join('') })
    return id
  }

  #file({ method, raw }: SeenRequest, account: string, id: string, action: string): object | string | null {
    if (method === 'POST') {
      const form = raw.toString()
      const [, content = ''] =
        /filename="batch.jsonl"\r\nContent-Type: application\/jsonl\r\n\r\n([\s\S]*)\r\n--/.exec(form) ?? []
      const made = `file-${++this.#count}`
      this.files.set(made, { account, content })
      return { id: made, object: 'file', purpose: 'batch' }
    }
    const file = this.files.get(id)
    if (file?.account !== account) return null
    if (method === 'DELETE') this.files.delete(id)
    return action === 'content' ? file.content : { id, deleted: method === 'DELETE' }
  }

  #batch({ method, body }: SeenRequest, account: string, id: string, action: string): object | null {
    const own = [...this.batches.values()].filter((each) => each.account === account)
    if (method === 'GET' && id === '') return { object: 'list', data: own.map(present) }
    if (method === 'POST' && id === '') {
      const file = this.files.get(body.input_file_id)
      if (file?.account !== account) return null
      const lines = file.content
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ custom_id, body: asked }) => ({ customId: custom_id, body: asked }))
      const made = {
        id: `batch-${++this.#count}`,
        account,
        status: 'in_progress',
        lines,
        metadata: body.metadata,
      }
      const batch: KnownBatch = { ...made, output_file_id: null, error_file_id: null }
      this.batches.set(batch.id, batch)
      return present(batch)
    }
    const batch = own.find((each) => each.id === id)
    if (!batch) return null
    if (action === 'cancel' && batch.status === 'in_progress') batch.status = 'cancelling'
    return present(batch)
  }
}

const present = ({ lines, account: _, ...batch }: KnownBatch) => ({
  ...batch,
  object: 'batch',
  request_counts: { total: lines.length, completed: 0, failed: 0 },
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { operatorOf } from '../../../packages/service/src/resources/audit/index.js'
import { createKey } from '../../../packages/service/src/resources/keys/index.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import {
  type SeenRequest,
  sendJson,
  startEvents,
  startUpstream,
  type Upstream,
} from '../providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  messageAnswer,
  messageEvents,
  responseAnswer,
  responseMessage,
  streamNamed,
  textBlock,
} from '../providers/vendor-answers.js'
import { createTestDatabase } from './database.js'
import { startTestService, type TestService } from './service.js'

/** The callers. Ann and Bea are in one team, Cid in another, Dora in none; the robot is a key without an owner. */
export type Caller = 'ann' | 'bea' | 'cid' | 'dora' | 'robot' | 'auditor' | 'manager' | 'stranger'

/** The ids that a provider issued with its last answer. */
export interface IssuedWithAnswer {
  response: string
  message: string
  reasoning: string
  code: string
  container: string
  file: string
  audio: string
}

/** Users of two tenants whose calls use one account of a scripted provider, which issues ids like vendors do. */
export interface SharedAccount {
  upstream: Upstream
  service(): TestService
  keyOf(caller: Caller): string
  post(caller: Caller, path: string, body: object): Promise<Response>
  /** Makes a call and reads its answer to the end. */
  issue(caller: Caller, path: string, body: object): Promise<IssuedWithAnswer>
  /** Restarts the service on the same database. */
  restart(): Promise<void>
  stop(): Promise<void>
}

let answers = 0

export async function startSharedAccount(): Promise<SharedAccount> {
  let last = namesOf(0)
  const upstream = await startUpstream((request, response) => {
    last = namesOf(++answers)
    answer(request, response, last)
  })
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-config-'))
  const config = join(folder, 'tallystick.yaml')
  const openai = { type: 'openai', pricesOf: 'openai', baseUrl: `${upstream.url}/v1` }
  const providers = {
    openai: { ...openai, apiKey: 'sk-shared' },
    other: { ...openai, apiKey: 'sk-other' },
    lenient: { ...openai, apiKey: 'sk-shared', references: 'any' },
    personal: { ...openai, auth: 'caller' },
    anthropic: { type: 'anthropic', baseUrl: upstream.url, apiKey: 'sk-ant' },
  }
  await writeFile(config, stringify({ providers }))
  const database = await createTestDatabase()
  const dataDir = join(folder, 'data')
  const start = (managerKey = '') =>
    startTestService({ database, dataDir, managerKey, env: { TALLYSTICK_CONFIG: config } })
  let service = await start()
  const keys = await makeKeys(service)

  async function post(caller: Caller, path: string, body: object): Promise<Response> {
    return await fetch(service.address + path, {
      method: 'POST',
      headers: {
        'x-tallystick-key': keys[caller],
        authorization: 'Bearer own-account',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  }

  return {
    upstream,
    service: () => service,
    keyOf: (caller) => keys[caller],
    post,
    async issue(caller, path, body) {
      const response = await post(caller, path, body)
      const text = await response.text()
      if (response.status !== 200) throw new Error(text)
      return last
    },
    async restart() {
      await service.stop()
      service = await start(service.managerKey)
    },
    async stop() {
      await service.stop()
      await database.drop()
      await upstream.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeKeys({ api, database, managerKey }: TestService): Promise<Record<Caller, string>> {
  const team = async (name: string) =>
    (await api.post('/v1/team/teams', { name, budgetPoolUsd: 1_000 })).body.id
  const key = async (fields: object) => (await api.post('/v1/keys', { name: 'k', ...fields })).body.key
  const red = await team('red')
  const blue = await team('blue')
  const { db, close } = openDatabase(database.url, () => undefined)
  const tenant = await createTenant(db, 'stranger')
  const { value } = await createKey(db, operatorOf(tenant.id), { name: 's', role: 'manager' })
  await close()
  return {
    ann: await key({ userId: 'ann', teamId: red }),
    bea: await key({ userId: 'bea', teamId: red }),
    cid: await key({ userId: 'cid', teamId: blue }),
    dora: await key({ userId: 'dora' }),
    robot: await key({}),
    auditor: await key({ role: 'auditor' }),
    manager: managerKey,
    stranger: value,
  }
}

const namesOf = (n: number): IssuedWithAnswer => ({
  response: `resp_${n}`,
  message: `msg_${n}`,
  reasoning: `rs_${n}`,
  code: `ci_${n}`,
  container: `cntr_${n}`,
  file: `file_${n}`,
  audio: `audio_${n}`,
})

function answer({ path, body }: SeenRequest, response: ServerResponse, issued: IssuedWithAnswer): void {
  if (path.endsWith('/responses')) answerResponse(body, response, issued)
  else if (path.endsWith('/messages')) answerMessage(body, response, issued)
  else answerChat(body, response, issued)
}

function answerResponse(body: SeenRequest['body'], response: ServerResponse, fresh: IssuedWithAnswer): void {
  const named = body.tools?.[0]?.container
  const issued = typeof named === 'string' ? { ...fresh, container: named } : fresh
  const citation = { type: 'container_file_citation', container_id: issued.container, file_id: issued.file }
  const text = { type: 'output_text', text: 'Here it is.', annotations: [citation] }
  const output = [
    { type: 'reasoning', id: issued.reasoning, summary: [] },
    { type: 'code_interpreter_call', id: issued.code, container_id: issued.container, code: '1' },
    { ...responseMessage(''), id: issued.message, content: [text] },
  ]
  const whole = { ...responseAnswer(...output), id: issued.response, store: body.store ?? true }
  if (body.stream !== true) {
    sendJson(response, 200, whole)
    return
  }
  const created = { ...whole, status: 'in_progress', output: [], usage: null }
  const events: { type: string; [member: string]: unknown }[] = [
    { type: 'response.created', response: created },
    ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { ...whole, output: [] } },
  ]
  streamNamed(response, events)
}

function answerMessage(body: SeenRequest['body'], response: ServerResponse, issued: IssuedWithAnswer): void {
  const made = { type: 'bash_code_execution_output', file_id: issued.file }
  const content = { type: 'bash_code_execution_result', content: [made] }
  const result = { type: 'bash_code_execution_tool_result', tool_use_id: 'srvtoolu_1', content }
  const container = { id: issued.container, expires_at: '2026-12-01T00:00:00Z' }
  if (body.stream !== true) {
    sendJson(response, 200, { ...messageAnswer([result, { type: 'text', text: 'Done.' }]), container })
    return
  }
  const events = messageEvents([{ start: result, deltas: [] }, textBlock('Done.')])
  const [last] = events.slice(-2)
  if (last && 'delta' in last) Object.assign(last.delta, { container })
  streamNamed(response, events)
}

function answerChat(body: SeenRequest['body'], response: ServerResponse, { audio }: IssuedWithAnswer): void {
  const spoken = { id: audio, transcript: 'Yes.', data: 'aGk=', expires_at: 1_800_000_000 }
  if (body.stream !== true) {
    sendJson(response, 200, chatAnswer({ audio: spoken }))
    return
  }
  const send = startEvents(response)
  send(chatChunk({ role: 'assistant', audio: { id: audio, transcript: 'Yes.' } }))
  send(chatChunk({}, 'stop'))
  send('[DONE]')
  response.end()
}

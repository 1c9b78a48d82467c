import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../../../../test/harness/providers/endpoint-shape.js'
import type { JsonObject } from '../../../../record/src/json/index.js'
import { findReferences } from './find-references.js'

const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const said = (...content: object[]) => ({ input: [{ type: 'message', role: 'user', content }] })
const item = (fields: object) => ({ input: [fields] })
const tool = (fields: object) => ({ tools: [fields] })

type Row = [dialect: string, path: string, reference: string, body: JsonObject]

const references: Row[] = [
  ['responses', 'previous_response_id', 'response x', { previous_response_id: 'x' }],
  ['responses', 'previous_response_id', 'response 7', { previous_response_id: 7 }],
  ['responses', 'Previous_Response_ID', 'response x', { Previous_Response_ID: 'x' }],
  ['responses', 'conversation', 'conversation x', { conversation: 'x' }],
  ['responses', 'conversation', 'conversation x', { conversation: { id: 'x' } }],
  ['responses', 'conversation', 'conversation {"ID":"x"}', { conversation: { ID: 'x' } }],
  ['responses', 'input.0', 'item x', item({ type: 'item_reference', id: 'x' })],
  ['responses', 'input.0', 'item x', item({ id: 'x' })],
  ['responses', 'input.0', 'item x', item({ type: 'reasoning', id: 'x', summary: [] })],
  ['responses', 'input.0', 'item x', item({ type: 'reasoning', id: 'x', encrypted_content: null })],
  ['responses', 'input.0', 'item x', item({ type: 'image_generation_call', id: 'x' })],
  ['responses', 'input.0', 'item x', item({ type: 'web_search_call', id: 'x', action: {} })],
  ['responses', 'input.0', 'item x', item({ type: 'computer_call', id: 'x', call_id: 'c' })],
  ['responses', 'input.0', 'item x', item({ type: 'message', id: 'x', role: 'assistant' })],
  ['responses', 'input.0.content.0.file_id', 'file x', said({ type: 'input_file', file_id: 'x' })],
  ['responses', 'input.0.content.0.file_id', 'file x', said({ type: 'input_image', file_id: 'x' })],
  ['responses', 'input.0.content.0.image_url', 'file gs://b/x', said({ image_url: 'gs://b/x' })],
  [
    'responses',
    'input.0.output.0.file_id',
    'file x',
    item({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'x' }] }),
  ],
  [
    'responses',
    'input.0.output.file_id',
    'file x',
    item({ type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'x' } }),
  ],
  [
    'responses',
    'input.0.tools.0.vector_store_ids',
    'vector store x',
    item({ type: 'additional_tools', tools: [{ type: 'file_search', vector_store_ids: ['x'] }] }),
  ],
  ['responses', 'tools.0.container', 'container x', tool({ type: 'code_interpreter', container: 'x' })],
  [
    'responses',
    'tools.0.container.file_ids',
    'file x',
    tool({ type: 'code_interpreter', container: { type: 'auto', file_ids: ['x'] } }),
  ],
  [
    'responses',
    'tools.0.environment.container_id',
    'container x',
    tool({ type: 'shell', environment: { type: 'container_reference', container_id: 'x' } }),
  ],
  [
    'responses',
    'tools.0.environment.skills.0.skill_id',
    'skill x',
    tool({ type: 'shell', environment: { skills: [{ type: 'skill_reference', skill_id: 'x' }] } }),
  ],
  [
    'responses',
    'tools.0.vector_store_ids',
    'vector store x',
    tool({ type: 'file_search', vector_store_ids: ['x'] }),
  ],
  [
    'responses',
    'tools.0.tools.0.vector_store_ids',
    'vector store x',
    tool({ type: 'namespace', tools: [{ type: 'file_search', vector_store_ids: ['x'] }] }),
  ],
  [
    'responses',
    'tools.0.input_image_mask.file_id',
    'file x',
    tool({ type: 'image_generation', input_image_mask: { file_id: 'x' } }),
  ],
  ['responses', 'tools.0.tunnel_id', 'tunnel x', tool({ type: 'mcp', tunnel_id: 'x' })],
  ['chat', 'messages.0.content.0.file.file_id', 'file x', user({ type: 'file', file: { file_id: 'x' } })],
  ['chat', 'messages.0.content.0.file_id', 'file x', user({ type: 'file', file_id: 'x' })],
  ['chat', 'messages.0.content.0.image_url.url', 'file ms://x', user({ image_url: { url: 'ms://x' } })],
  ['chat', 'messages.0.audio', 'audio x', { messages: [{ role: 'assistant', audio: { id: 'x' } }] }],
  ['chat', 'audio.voice', 'voice x', { audio: { format: 'wav', voice: { id: 'x' } } }],
  ['chat', 'messages.0.attachments.0.file_id', 'file x', { messages: [{ attachments: [{ file_id: 'x' }] }] }],
  [
    'chat',
    'tool_resources.file_search.vector_store_ids',
    'vector store x',
    { tool_resources: { file_search: { vector_store_ids: ['x'] } } },
  ],
  ['chat', 'google.cached_content', 'cached content x', { google: { cached_content: 'x' } }],
  ['chat', 'data_sources.0', 'data source data_sources.0', { data_sources: [{ type: 'azure_search' }] }],
  ['speech', 'voice', 'voice x', { voice: { id: 'x' } }],
  ['messages', 'container', 'container x', { container: 'x' }],
  ['messages', 'container', 'container x', { container: { id: 'x' } }],
  [
    'messages',
    'container.skills.0.skill_id',
    'skill x',
    { container: { skills: [{ type: 'custom', skill_id: 'x' }] } },
  ],
  ['messages', 'messages.0.content.0.file_id', 'file x', user({ type: 'container_upload', file_id: 'x' })],
  [
    'messages',
    'messages.0.content.0.source.file_id',
    'file x',
    user({ type: 'document', source: { type: 'file', file_id: 'x' } }),
  ],
  [
    'messages',
    'messages.0.content.0.content.0.source.File_Id',
    'file x',
    user({ type: 'tool_result', content: [{ type: 'image', source: { type: 'file', File_Id: 'x' } }] }),
  ],
  [
    'messages',
    'messages.0.content.0.content.content.0.file_id',
    'file x',
    user({ type: 'bash_code_execution_tool_result', content: { content: [{ file_id: 'x' }] } }),
  ],
]

describe('a request names what its provider keeps', () => {
  test.each(references)('%s: %s is %s', (dialect, path, reference, body) => {
    const found = findReferences(body, shapeOf(dialect)).map(({ kind, id, path: at }) => [
      `${kind} ${id}`,
      at,
    ])
    expect(found).toEqual([[reference, path]])
  })
})

const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'x' }],
}

test.each<[string, string, JsonObject]>([
  ['a text as input', 'responses', { input: 'item_reference x', previous_response_id: null }],
  ['an answer that is sent back whole', 'responses', item(message)],
  ['a message without a type', 'responses', item({ id: 'msg_1', role: 'user', content: 'x' })],
  ['reasoning with its content', 'responses', item({ type: 'reasoning', id: 'rs', encrypted_content: 'x' })],
  ['a call of a tool', 'responses', item({ type: 'function_call', id: 'fc', arguments: '{"file_id":"x"}' })],
  ['an image that was drawn', 'responses', item({ type: 'image_generation_call', id: 'ig', result: 'aGk=' })],
  ['a container of its own', 'responses', tool({ type: 'code_interpreter', container: { type: 'auto' } })],
  ['a tool of the caller', 'chat', tool({ type: 'function', function: { parameters: { file_id: 'x' } } })],
  ['what a tool is called with', 'messages', user({ type: 'tool_use', input: { file_id: 'x', source: {} } })],
  ['a skill of the vendor', 'messages', { container: { skills: [{ type: 'anthropic', skill_id: 'pdf' }] } }],
  ['a picture by its address', 'chat', user({ image_url: { url: 'https://example.com/a.png' } })],
  ['a picture', 'chat', user({ image_url: { url: 'data:image/png;base64,aGk=' } })],
  ['the name of a voice', 'chat', { audio: { voice: 'alloy', format: 'wav' } }],
  ['the name of a voice', 'speech', { voice: 'alloy', input: 'x' }],
  ['an input of embeddings', 'embeddings', { input: ['x'], file_id: 'x' }],
])('%s is no reference (%s)', (_, dialect, body) => {
  expect(findReferences(body, shapeOf(dialect))).toEqual([])
})

test('any body can be read, and every path leads to what it names', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('chat', 'messages', 'responses'),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (dialect, more) => {
        const body: JsonObject = { ...references.find(([each]) => each === dialect)?.[3], ...more }
        for (const { path, id } of findReferences(body, shapeOf(dialect))) {
          const value = path
            .split('.')
            .reduce<unknown>((at, key) => (at as JsonObject | undefined)?.[key], body)
          expect(JSON.stringify(value)).toContain(JSON.stringify(id).slice(1, -1))
        }
      },
    ),
  )
})

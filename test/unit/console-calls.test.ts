import { describe, expect, it } from 'vitest'
import { readMessages } from '../../packages/console/src/pages/calls/call/messages.js'
import { filterQuery, readCallsSearch } from '../../packages/console/src/pages/calls/search.js'

describe('the address of the list of calls', () => {
  it('keeps every filter, and nothing that is none', () => {
    const search = readCallsSearch({
      call: 'req_1',
      keyId: 'key_1',
      session: 4711,
      outcome: 'blocked',
      minCostUsd: '0.05',
      tags: ['project=alpha', 'nonsense', 'project=alpha', 'env='],
      unknown: 'x',
    })
    expect(search).toEqual({
      call: 'req_1',
      keyId: 'key_1',
      session: '4711',
      outcome: 'blocked',
      minCostUsd: 0.05,
      tags: ['project=alpha'],
    })
    expect(readCallsSearch({ outcome: 'gone', minCostUsd: 'much', model: '' })).toEqual({})
  })

  it('has the kind of a call, its server and its tool', () => {
    const search = readCallsSearch({ kind: 'tool', server: 'files', tool: 'read' })
    expect(filterQuery(search)).toEqual({ kind: 'tool', server: 'files', tool: 'read' })
    expect(readCallsSearch({ kind: 'area' })).toEqual({})
  })

  it('asks the API with each of its filters, and not with the call that is open', () => {
    const search = readCallsSearch({ call: 'req_1', model: 'gpt-4o', tags: ['project=a=b', 'env=prod'] })
    expect(filterQuery(search)).toEqual({ model: 'gpt-4o', 'tag.project': 'a=b', 'tag.env': 'prod' })
  })
})

describe('what a call said', () => {
  it('reads the requests and answers of each dialect as messages', () => {
    const chat = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] }],
    }
    expect(readMessages(chat)).toEqual([{ role: 'user', text: 'Hi\n(image_url)' }])
    expect(readMessages({ choices: [{ message: { role: 'assistant', content: 'Hello' } }] })).toEqual([
      { role: 'assistant', text: 'Hello' },
    ])
    const claude = { system: 'Be brief', messages: [{ role: 'user', content: 'Hi' }] }
    expect(readMessages(claude)?.map(({ role }) => role)).toEqual(['system', 'user'])
    const answer = { role: 'assistant', content: [{ type: 'tool_use', name: 'find', input: { q: 'x' } }] }
    expect(readMessages(answer)).toEqual([{ role: 'assistant', text: '(calls find) {"q":"x"}' }])
    expect(readMessages({ instructions: 'Be brief', input: 'Hi' })?.map(({ text }) => text)).toEqual([
      'Be brief',
      'Hi',
    ])
    const response = {
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] }],
    }
    expect(readMessages(response)).toEqual([{ role: 'assistant', text: 'Yes' }])
  })

  it('reads what a tool was asked, and what it said', () => {
    const request = { method: 'tools/call', params: { name: 'read', arguments: { path: '/etc/motd' } } }
    expect(readMessages(request)).toEqual([{ role: 'tools/call', text: 'read\n{\n  "path": "/etc/motd"\n}' }])
    const content = [
      { type: 'text', text: 'No such file' },
      { type: 'image', data: 'aGk=' },
    ]
    expect(readMessages({ result: { content, isError: true } })).toEqual([
      { role: 'result (error)', text: 'No such file\n(image)' },
    ])
    expect(readMessages({ result: { contents: [{ uri: 'file:///a', text: 'Hello' }] } })).toEqual([
      { role: 'result', text: 'Hello' },
    ])
    expect(readMessages({ error: { code: -32602, message: 'No such tool' } })).toEqual([
      { role: 'error', text: 'No such tool' },
    ])
  })

  it('leaves anything else as it is', () => {
    expect(readMessages({ data: [{ embedding: [1] }] })).toBeNull()
  })
})

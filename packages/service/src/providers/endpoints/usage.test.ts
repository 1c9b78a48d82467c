import { describe, expect, test } from 'vitest'
import { endpoints } from './index.js'

const chatUsage = (usage: object, request = {}) => endpoints.chat.usageOf({ usage }, request)

describe('what a provider reports', () => {
  test('includes the sources of a live search, which are paid for', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, num_sources_used: 4 }
    expect(chatUsage(usage)?.counts).toMatchObject({ input: 10, output: 5, tools: { web_search: 4 } })
  })

  test('says the output by the total, where it says no more', () => {
    expect(chatUsage({ prompt_tokens: 10, total_tokens: 300 })).toMatchObject({
      counts: { output: 290 },
      hasOutput: true,
    })
    expect(chatUsage({ prompt_tokens: 10, total_tokens: '300' })?.hasOutput).toBe(false)
    expect(chatUsage({ prompt_tokens: 10, total_tokens: 3 })?.hasOutput).toBe(false)
  })

  test('is for an hour in the cache where a part of a chat asks for that', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cache_write_tokens: 8 },
    }
    const content = [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }]
    expect(chatUsage(usage, { messages: [{ role: 'user', content }] })?.counts.writtenHour).toBe(8)
    expect(chatUsage(usage)?.counts.writtenHour).toBe(0)
  })
})

import { describe, expect, test } from 'vitest'
import { endpoints } from '../endpoints/index.js'
import { cleanErrorBody } from './error-body.js'

const clean = (text: string, status = 429) =>
  cleanErrorBody(Buffer.from(text), status, 'openai', endpoints.chat)?.toString()

describe('what a provider says of its account', () => {
  test.each([
    'Rate limit reached for gpt-4o in organization org-9kAb3xYz12 on tokens per min',
    'Rate limit reached for gpt-4o in project proj_7hQw2eRt on requests',
    "would exceed your organization's limit (org: 0b1f2c3d-aaaa-bbbb-cccc-0123456789ab)",
    'The key sk-proj-********************abcd is not allowed here',
    '{"organization_id":"0b1f2c3d-aaaa-bbbb-cccc-0123456789ab"}',
    'User: arn:aws:iam::112233445566:user/house is not authorized to perform: bedrock:InvokeModel',
    "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/house-0b1f2c3d/locations/global'",
    'robot-0b1f2c3d@house.iam.gserviceaccount.com lacks a role',
    'The key gsk_9kAb3xYz12abcd is over its limit',
    'API key AIzaSy9kAb3xYz12 not valid',
  ])('is left out of %s', (text) => {
    const cleaned = clean(text) ?? ''
    expect(cleaned).toContain('[hidden]')
    expect(cleaned).not.toMatch(/9kAb3xYz12|7hQw2eRt|0b1f2c3d|abcd|112233445566/)
  })

  test.each([
    'Your organization must be verified to use this model',
    'max_tokens is too large: 99999. This model supports at most 4096 completion tokens',
    'Unknown parameter: project',
    'Model accounts/fireworks/models/kimi-k2p5 is busy',
    'Ask for projects, fw_ and AKIA in the documentation',
  ])('and nothing else is: %s', (text) => {
    expect(clean(text)).toBeUndefined()
  })

  test('is not told when it refuses our key, whatever its words', () => {
    for (const dialect of Object.values(endpoints)) {
      const body = cleanErrorBody(Buffer.from('anything at all, ending in 7f3a'), 401, 'openai', dialect)
      expect(JSON.parse(String(body))).toMatchObject({
        error: { message: expect.stringContaining("openai refused this service's own key"), code: 401 },
      })
      expect(String(body)).not.toContain('7f3a')
    }
  })

  test('cannot hide in an error that is too long to look through', () => {
    expect(clean(`${'x'.repeat(300 * 1024)} org-9kAb3xYz12`)).toMatch(/with an error of \d+ bytes/)
  })
})

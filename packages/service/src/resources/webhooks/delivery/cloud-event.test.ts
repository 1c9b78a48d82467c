import { expect, test } from 'vitest'
import { envelopeSchemas } from '../alerts/payloads.js'
import { composeBody } from './attempt.js'

/** An example of every event, with the data that is stored for it. */
const examples = [...envelopeSchemas].map(([event, schema]) => ({
  event,
  data: Object(Object(Object(schema).examples)[0]).data,
}))

const compose = (event: string, data: object) =>
  composeBody({
    ...{ id: 'dlv_1', tenantId: 'ten_1', event, data: JSON.stringify(data) },
    ...{ createdAt: new Date('2026-11-15T09:30:00.000Z'), type: 'generic', envelope: 'cloudevents' },
  })

test.each(examples)('$event is a CloudEvent', ({ event, data }) => {
  const { data: sent, ...attributes } = JSON.parse(compose(event, data))
  expect(sent).toEqual(data)
  // What version 1.0 of the specification demands of attributes.
  for (const [name, value] of Object.entries(attributes)) {
    expect(name).toMatch(/^[a-z0-9]{1,20}$/)
    expect(value).toEqual(expect.stringMatching(/^[\x20-\x7e]+$/))
  }
  expect(attributes).toMatchObject({
    ...{ specversion: '1.0', id: 'dlv_1', source: 'urn:tallystick:ten_1', type: `tallystick.${event}` },
    ...{ time: '2026-11-15T09:30:00.000Z', datacontenttype: 'application/json' },
  })
})

test('the subject is what the event is about, and is left out where the data names nothing', () => {
  const subjects = examples.map(({ event, data }) => [event, JSON.parse(compose(event, data)).subject])
  expect(Object.fromEntries(subjects)).toEqual({
    'budget.threshold_reached': 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y',
    'budget.request_filed': 'breq_01k9zq3w8hcv7m2x4n6p8r0t1y',
    'policy.violation': 'pol_01k9zq3w8hcv7m2x4n6p8r0t1y',
    'provider.failing': 'openai',
    'mcp.tool_changed': 'mcp_01k9zq3w8hcv7m2x4n6p8r0t1y',
  })
  expect(JSON.parse(compose('policy.violation', { policy_id: null }))).not.toHaveProperty('subject')
})

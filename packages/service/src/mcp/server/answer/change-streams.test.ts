import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../../../../../../test/harness/run/wait.js'
import { makeGate } from '../../../../../../test/harness/service/gateway.js'
import type { Changes } from '../../../db/index.js'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { McpCaller } from '../caller.js'
import type { CallerAccess, ToolGateway } from '../contract.js'
import { ChangeStreams } from './change-streams.js'
import type { EventWriter } from './event-writer.js'

const tenantId = 'tenant_1'
const caller = { principal: { tenantId }, server: null, isModern: true } as McpCaller

let streams: ChangeStreams
afterEach(() => streams.endAll())

/** A caller that sees one tool, and what its stream was told. The next reading of the tool waits for the gate. */
function start() {
  let announce: Parameters<Changes['subscribe']>[0]['onChange'] = () => undefined
  const state = { tool: 'one', gate: makeGate(), readings: 0 }
  const told: string[] = []
  const access = { mayUseServer: () => true, toolsOf: async ({ name }: ToolServer) => [{ name }] }
  streams = new ChangeStreams(
    {
      gateway: { accessOf: async () => access as unknown as CallerAccess } as unknown as ToolGateway,
      servers: {
        async list() {
          const { tool, readings, gate } = state
          state.readings++
          if (readings === 0) await gate.passed
          return [{ name: tool, enabled: true } as ToolServer]
        },
        find: async () => null,
      },
      onError: (error) => expect.unreachable(String(error)),
      changes: {
        connected: () => true,
        subscribe: ({ onChange }) => {
          announce = onChange
        },
        close: async () => undefined,
      },
    },
    { changeDelayMs: 0, keepAliveMs: 600_000, unreadBytes: 1 },
  )
  const events = {
    unreadBytes: 0,
    write: (json: string) => void told.push(json),
    end: () => void told.push('its end'),
    onClose: () => undefined,
  } as unknown as EventWriter
  let isOpen = false
  const added = streams.add(caller, () => {
    isOpen = true
    return { events, changed: 'a change', closing: 'a last word' }
  })
  /** Resolves when the streams were told of it, or were not. */
  async function change(tool: string): Promise<void> {
    const { readings } = state
    state.tool = tool
    announce({ table: 'mcp_tools', tenantId })
    await waitFor('another reading', () => state.readings > readings)
    await nextTurn()
  }
  return { state, told, added, change, isOpen: () => isOpen }
}

test('a stream is told of no change that was there before it was open, and of every one after it', async () => {
  const { state, told, added, change, isOpen } = start()
  await waitFor('the first reading', () => state.readings === 1)
  await change('two')
  expect(isOpen()).toBe(false)
  state.gate.open()
  await added
  await change('two')
  expect(told).toEqual([])
  await change('three')
  expect(told).toEqual(['a change'])
})

test('one that is opened while all of them end has its last word', async () => {
  const { state, told, added } = start()
  streams.endAll()
  state.gate.open()
  await added
  expect(told).toEqual(['a last word', 'its end'])
})

import { expect, test } from 'vitest'
import { createLanes, type Lanes } from './lanes.js'

function roomOf(lanes: Lanes, id: string): number {
  const { endpointIds, rooms, forOthers } = lanes.room()
  const place = endpointIds.indexOf(id)
  return place === -1 ? forOthers : (rooms[place] ?? 0)
}
const run = (lanes: Lanes, id: string, prompt: boolean) => {
  lanes.started(id)
  lanes.ended(id, prompt)
}

test('an endpoint begins with two at a time and earns up to 64', () => {
  const lanes = createLanes()
  expect(roomOf(lanes, 'a')).toBe(2)
  for (let i = 0; i < 100; i++) run(lanes, 'a', true)
  expect(roomOf(lanes, 'a')).toBe(64)
  for (let i = 0; i < 64; i++) lanes.started('a')
  expect(roomOf(lanes, 'a')).toBe(0)
})

test('failure costs half, down to one that goes on trying', () => {
  const lanes = createLanes()
  for (let i = 0; i < 100; i++) run(lanes, 'a', true)
  const rooms = Array.from({ length: 6 }, () => {
    run(lanes, 'a', false)
    return roomOf(lanes, 'a')
  })
  expect(rooms).toEqual([32, 16, 8, 4, 2, 1])
})

test('however many are dead, half of all places is left for the others', () => {
  const lanes = createLanes()
  const dead = Array.from({ length: 600 }, (_, i) => `dead-${i}`)
  for (const id of dead) {
    run(lanes, id, false)
    run(lanes, id, false)
  }
  for (let claimed = 1; claimed > 0; ) {
    const { endpointIds, rooms, inAll } = lanes.room()
    claimed = 0
    for (const [i, id] of endpointIds.entries()) {
      if ((rooms[i] ?? 0) === 0 || claimed >= inAll) continue
      lanes.started(id)
      claimed++
    }
  }
  expect(lanes.room().inAll).toBe(256)
  expect(roomOf(lanes, 'alive')).toBe(2)
})

test('the dead take turns', () => {
  const lanes = createLanes()
  const ids = Array.from({ length: 300 }, (_, i) => `dead-${i}`)
  for (const id of ids) run(lanes, id, false)
  const served = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const { endpointIds, rooms } = lanes.room()
    const chosen = endpointIds.filter((_, i) => (rooms[i] ?? 0) > 0)
    for (const id of chosen) lanes.started(id)
    for (const id of chosen) {
      served.add(id)
      lanes.ended(id, false)
    }
  }
  expect(served.size).toBe(300)
})

test('what is remembered of endpoints is bounded, and what is under way is never forgotten', () => {
  const lanes = createLanes()
  lanes.started('busy')
  for (let i = 0; i < 5_000; i++) run(lanes, `once-${i}`, true)
  expect(lanes.room().endpointIds.length).toBeLessThanOrEqual(2_000)
  expect(roomOf(lanes, 'busy')).toBe(1)
})

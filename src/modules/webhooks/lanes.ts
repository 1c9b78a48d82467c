/** How much may be claimed now. Endpoints that are not named have room for `forOthers`. */
export interface Room {
  endpointIds: string[]
  rooms: number[]
  forOthers: number
  inAll: number
}

/**
 * How many deliveries of each endpoint are under way, and how many may be. An endpoint earns its place: it begins with few,
 * gains one with every prompt success and loses half with every failure or long wait. Those that are down to one, the
 * dead and the slow, share a part of all places, so that however many there are, the others have the rest.
 */
export interface Lanes {
  room(): Room
  started(endpointId: string): void
  ended(endpointId: string, prompt: boolean): void
}

interface Lane {
  underWay: number
  allowed: number
}

const allowedAtFirst = 2
const mostAllowed = 64
const mostInAll = 512
const mostForSlow = 256
// What is forgotten begins anew; a lane that rests costs nothing but its entry.
const mostRemembered = 2_000

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  let inAll = 0

  const isSlow = ({ allowed }: Lane) => allowed === 1

  function laneOf(endpointId: string): Lane {
    const lane = lanes.get(endpointId) ?? { underWay: 0, allowed: allowedAtFirst }
    // At the end of the line: of the slow, whoever was served last is the last to be served again.
    lanes.delete(endpointId)
    lanes.set(endpointId, lane)
    return lane
  }

  function forgetSome(): void {
    for (const [id, { underWay }] of lanes) {
      if (lanes.size <= mostRemembered) return
      if (underWay === 0) lanes.delete(id)
    }
  }

  return {
    room() {
      let forSlow = mostForSlow
      for (const lane of lanes.values()) if (isSlow(lane)) forSlow -= lane.underWay
      const endpointIds: string[] = []
      const rooms: number[] = []
      for (const [id, lane] of lanes) {
        let room = lane.allowed - lane.underWay
        if (isSlow(lane)) {
          room = Math.min(room, Math.max(0, forSlow))
          forSlow -= Math.max(0, room)
        }
        endpointIds.push(id)
        rooms.push(Math.max(0, room))
      }
      return { endpointIds, rooms, forOthers: allowedAtFirst, inAll: mostInAll - inAll }
    },
    started(endpointId) {
      laneOf(endpointId).underWay++
      inAll++
    },
    ended(endpointId, prompt) {
      const lane = laneOf(endpointId)
      lane.underWay--
      inAll--
      lane.allowed = prompt ? Math.min(mostAllowed, lane.allowed + 1) : Math.max(1, lane.allowed >> 1)
      forgetSome()
    },
  }
}

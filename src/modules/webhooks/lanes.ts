/** How much may be taken now. Endpoints that are not named have room for `forOthers`. */
export interface Room {
  endpointIds: string[]
  rooms: number[]
  forOthers: number
  inAll: number
}

/**
 * What is ours to send, by endpoint: under way, or waiting for a place. An endpoint earns its places: it begins with few,
 * gains one with every prompt success and loses half with every failure or long wait. Those that are down to one, the
 * dead and the slow, share a part of all places, so that however many there are, the others have the rest.
 *
 * Of an endpoint that answers promptly more is taken than it has places, so that none of them is empty while the
 * database is asked; but no more than can be sent soon, since what waits here nobody else can send.
 */
export interface Lanes<Delivery extends Addressed> {
  /** For what is due in the database. Not `ahead`: only as much as need not wait. */
  room(options: { ahead: boolean }): Room
  /** For what is being made for these tenants; it leaves some room for what is due in the database already. */
  roomForFresh(tenantIds: ReadonlySet<string>): Room
  add(deliveries: readonly Delivery[]): void
  /** Told how many came of a look into the database with that room. */
  looked(room: Room, brought: readonly Addressed[]): void
  /** The next that may be sent; it is under way from now on. */
  next(): Delivery | undefined
  /** With how long a success took; null after a failure. Tells whether to look now for more. */
  ended(delivery: Delivery, successMs: number | null): boolean
  /** Takes away what waits, of one tenant or of all. */
  withdraw(tenantId?: string): Delivery[]
}

interface Addressed {
  endpoint_id: string
  tenant_id: string
}

interface Lane<Delivery> {
  tenantId: string
  underWay: number
  /** How many may be under way. */
  allowed: number
  /** How many may be taken for each of these. */
  perPlace: number
  waiting: Delivery[]
  /** The database may have more for it than there was room for. */
  more: boolean
}

const allowedAtFirst = 2
const mostAllowed = 64
// More under way helps against long waits only; to whoever answers this fast it is just more connections.
const swiftMs = 50
const mostForSwift = 16
const mostUnderWay = 512
const mostForSlow = 256
const mostTaken = 8_192
// Of one look, so that it is short, and of one endpoint in it, so that several have a part in it.
const mostPerLook = 1_024
const mostOfOne = 256
// An answer that takes longer costs the endpoint part of its places.
const promptMs = 1_000
// What waits should be sent within this time, if answers go on taking as long as the last one did.
const soonMs = 3_000
const mostPerPlace = 64
// What is forgotten begins anew; a lane that rests costs nothing but its entry.
const mostRemembered = 2_000

export function createLanes<Delivery extends Addressed>(): Lanes<Delivery> {
  type OneLane = Lane<Delivery>
  const lanes = new Map<string, OneLane>()
  /** Those that have both something waiting and a place for it, in the order of their turns. */
  const ready = new Set<OneLane>()
  let underWay = 0
  let waiting = 0
  /** The last look had no room for some that have no lane. */
  let othersLeftOut = false

  const isSlow = ({ allowed }: OneLane) => allowed === 1
  const depthOf = ({ allowed, perPlace }: OneLane) => allowed * perPlace
  const roomIn = (lane: OneLane, depth: number) => Math.max(0, depth - lane.underWay - lane.waiting.length)
  const roomInAll = () => Math.max(0, mostTaken - underWay - waiting)

  function laneOf({ endpoint_id: id, tenant_id: tenantId }: Delivery): OneLane {
    const lane = lanes.get(id) ?? {
      tenantId,
      underWay: 0,
      allowed: allowedAtFirst,
      perPlace: 1,
      waiting: [],
      more: true,
    }
    // At the end of the line: of the slow, whoever was served last is the last to be served again.
    lanes.delete(id)
    lanes.set(id, lane)
    return lane
  }

  function takeTurns(lane: OneLane): void {
    ready.delete(lane)
    if (lane.waiting.length > 0 && lane.underWay < lane.allowed) ready.add(lane)
  }

  function forgetSome(): void {
    for (const [id, lane] of lanes) {
      if (lanes.size <= mostRemembered) return
      if (lane.underWay + lane.waiting.length === 0) lanes.delete(id)
    }
  }

  return {
    room({ ahead }) {
      const places = underWay < mostUnderWay
      let forSlow = mostForSlow
      for (const lane of lanes.values()) if (isSlow(lane)) forSlow -= lane.underWay
      const endpointIds: string[] = []
      const rooms: number[] = []
      for (const [id, lane] of lanes) {
        let room = roomIn(lane, ahead ? depthOf(lane) : lane.allowed)
        if (!places && lane.perPlace === 1) room = 0
        if (isSlow(lane)) {
          room = Math.min(room, Math.max(0, forSlow))
          forSlow -= room
        }
        endpointIds.push(id)
        rooms.push(Math.min(mostOfOne, room))
      }
      const inAll = Math.min(mostPerLook, roomInAll())
      return { endpointIds, rooms, forOthers: places ? allowedAtFirst : 0, inAll }
    },
    roomForFresh(tenantIds) {
      if (underWay >= mostUnderWay || roomInAll() === 0) return noRoom
      const endpointIds: string[] = []
      const rooms: number[] = []
      for (const [id, lane] of lanes) {
        if (!tenantIds.has(lane.tenantId)) continue
        endpointIds.push(id)
        rooms.push(roomIn(lane, Math.floor(depthOf(lane) * 0.75)))
      }
      return { endpointIds, rooms, forOthers: allowedAtFirst - 1, inAll: roomInAll() }
    },
    add(deliveries) {
      for (const delivery of deliveries) {
        const lane = laneOf(delivery)
        lane.waiting.push(delivery)
        waiting++
        takeTurns(lane)
      }
    },
    looked(room, deliveries) {
      const brought = new Map<string, number>()
      for (const { endpoint_id: id } of deliveries) brought.set(id, (brought.get(id) ?? 0) + 1)
      const full = deliveries.length >= room.inAll
      othersLeftOut = full || room.forOthers === 0
      for (const [i, id] of room.endpointIds.entries()) {
        const lane = lanes.get(id)
        if (lane) lane.more = full || (brought.get(id) ?? 0) >= (room.rooms[i] ?? 0)
      }
    },
    next() {
      const [lane] = underWay < mostUnderWay ? ready : []
      if (!lane) return undefined
      const delivery = lane.waiting.shift()
      waiting--
      lane.underWay++
      underWay++
      takeTurns(lane)
      return delivery
    },
    ended(delivery, successMs) {
      const lane = laneOf(delivery)
      lane.underWay--
      underWay--
      if (successMs !== null && successMs < promptMs) {
        if (lane.allowed < (successMs < swiftMs ? mostForSwift : mostAllowed)) lane.allowed++
        lane.perPlace = Math.min(mostPerPlace, Math.floor(soonMs / successMs))
      } else {
        lane.allowed = Math.max(1, lane.allowed >> 1)
        lane.perPlace = 1
      }
      takeTurns(lane)
      forgetSome()
      const depth = depthOf(lane)
      return othersLeftOut || (lane.more && (lane.perPlace === 1 || roomIn(lane, depth) * 2 >= depth))
    },
    withdraw(tenantId) {
      const withdrawn: Delivery[] = []
      for (const lane of lanes.values()) {
        if (lane.waiting.length === 0 || (tenantId !== undefined && lane.tenantId !== tenantId)) continue
        withdrawn.push(...lane.waiting)
        lane.waiting = []
        lane.more = true
        takeTurns(lane)
      }
      waiting -= withdrawn.length
      return withdrawn
    },
  }
}

export const noRoom: Room = { endpointIds: [], rooms: [], forOthers: 0, inAll: 0 }

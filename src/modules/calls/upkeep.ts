import { startPartitionUpkeep, type UpkeepOptions } from './partitions.js'
import { startCatchingUp } from './rebuild.js'

/** What calls need beside their receipts: partitions, indexes, an end to what is too old, and rows for what has none. */
export function startCallUpkeep(options: UpkeepOptions): { close(): Promise<void> } {
  const running = [startPartitionUpkeep(options), startCatchingUp(options)]
  return {
    async close() {
      await Promise.all(running.map((each) => each.close()))
    },
  }
}

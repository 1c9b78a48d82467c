import type { Infrastructure } from '../infrastructure/infrastructure.js'
import { startMaintenance } from './maintenance.js'

/**
 * Starts the maintenance, and restarts it when retention changes. The last run of the old one and the first of the new one may overlap,
 * as on two replicas.
 */
export function startReloadableMaintenance(infrastructure: Infrastructure) {
  const { live, db, changes, storage, now, outbound, failed } = infrastructure
  const start = (config = live.current()) =>
    startMaintenance({ db, changes, databaseUrl: storage.sessionUrl, config, now, outbound, failed })
  let running = start()
  // Bounded: one for each change of the configuration.
  let ending: Promise<unknown> = Promise.resolve()
  live.add({
    prepare(next, current) {
      const describe = ({ webhooks, callsRetentionDays, growth }: typeof next) =>
        JSON.stringify([webhooks, callsRetentionDays, growth])
      if (describe(next) === describe(current)) return null
      return () => {
        ending = Promise.all([ending, running.close().catch(failed('ending maintenance'))])
        running = start(next)
      }
    },
  })
  return {
    close: async () => void (await Promise.all([running.close(), ending])),
  }
}

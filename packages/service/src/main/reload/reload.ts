import { type Config, ConfigError } from '../../config/index.js'
import type { Db } from '../../db/index.js'
import type { Log } from '../../observability/index.js'
import { recordReload } from './audit-reload.js'
import { planReload, type ReloadPlan } from './live-settings.js'

export interface ReloadOptions {
  db: Db
  log: Log['general']
  current: Config
  /** Reads the configuration again. Throws a `ConfigError` with all its faults. */
  read(): Config | Promise<Config>
  apply(plan: ReloadPlan): Promise<void>
}

/** Reads the configuration again and applies what can change while the service runs. A fault changes nothing and is logged. */
export async function reload({ db, log, current, read, apply }: ReloadOptions): Promise<void> {
  try {
    const plan = planReload(current, await read())
    await apply(plan)
    const { changed, needRestart } = plan
    if (needRestart.length > 0) log.warn(`restart to apply: ${needRestart.join(', ')}`)
    log.info(
      `the configuration was read again: ${changed.length > 0 ? `changed ${changed.join(', ')}` : 'no live setting changed'}`,
    )
    if (changed.length === 0) return
    await recordReload(db, { changed, needRestart }).catch((err) =>
      log.error({ err }, 'a reload of the configuration is missing in the audit log'),
    )
  } catch (error) {
    if (error instanceof ConfigError)
      log.error(
        { faults: error.faults },
        'the configuration was read again and has faults, so nothing was changed: correct them and send SIGHUP again',
      )
    else log.error({ err: error }, 'reading the configuration again failed')
  }
}

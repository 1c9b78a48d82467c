import { startPeriodic } from '../../db/index.js'
import type { Log } from '../../observability/index.js'
import type { SecretReader } from '../../secret-stores/index.js'

export interface SecretRefresh {
  /** Logs what cannot be read since the last time, and what can be read again. */
  report(): void
  close(): Promise<void>
}

interface Options {
  secrets: Pick<SecretReader, 'hasChanges' | 'outages'>
  /** 0 for never. */
  everyMs: number
  log: Log['general']
  /** Asks for the configuration to be read again. */
  onChange(): void
  /** Called with the number of references that cannot be read. */
  onOutages?(count: number): void
}

/** Reads the secrets that the configuration refers to again, so that rotated ones are used without a signal. */
export function startSecretRefresh({ secrets, everyMs, log, onChange, onOutages }: Options): SecretRefresh {
  // Bounded: the references of the configuration.
  let reported = new Set<string>()

  function report(): void {
    const outages = secrets.outages()
    for (const [reference, fault] of outages)
      if (!reported.has(reference))
        log.error(
          `${reference} ${fault}. The value that was read before stays in use: check the secret store and the access of this service`,
        )
    for (const reference of reported) if (!outages.has(reference)) log.info(`${reference} can be read again`)
    reported = new Set(outages.keys())
    onOutages?.(reported.size)
  }

  if (everyMs === 0) return { report, close: async () => undefined }
  const periodic = startPeriodic({
    everyMs,
    async run() {
      const hasChanges = await secrets.hasChanges()
      report()
      if (hasChanges) onChange()
    },
    onError: (err) => log.error({ err }, 'reading secrets again failed; it will be retried'),
  })
  return { report, close: periodic.close }
}

import type { Config } from '../../../config/index.js'
import type { SecretReader } from '../../../secret-stores/index.js'
import { startService } from '../../index.js'
import { startSecretRefresh } from '../../reload/refresh-secrets.js'
import { announceStart } from '../announcements/announce-start.js'
import { listenForReload } from '../reload-signal.js'
import { exitBroken, exitIfShutdownHangs, listenForStop } from '../shutdown.js'
import { addDemo } from './demo.js'
import type { DemoOptions } from './demo-options.js'

/** Reads the configuration again. Throws a `ConfigError` with all its faults. */
export type ReadConfig = () => Config | Promise<Config>

export interface ConfigReader {
  read: ReadConfig
  secrets: SecretReader
}

/** Runs the service in this process until a signal stops it. */
export async function serve(
  config: Config,
  demo: DemoOptions | null,
  { read, secrets }: ConfigReader,
): Promise<void> {
  let readLive = () => config
  const signals = listenForStop(() => readLive())
  const reloadSignal = listenForReload()
  const service = await startService(config, { secretOutages: () => secrets.outages().size })
  readLive = service.config
  announceStart(service, config)
  if (demo) await addDemo(demo, { service, stopRequested: signals.requested })
  const refresh = startSecretRefresh({
    ...{ secrets, everyMs: config.secretsRefreshMs, log: service.log },
    onChange: reloadSignal.request,
  })
  reloadSignal.serve(async () => {
    await service.reload(read)
    refresh.report()
  })
  const fault = await Promise.race([signals.requested, service.broken])
  if (fault) exitBroken(readLive(), fault)
  service.drain()
  if (!fault) await signals.drained()
  exitIfShutdownHangs(readLive())
  await refresh.close()
  await service.stop()
}

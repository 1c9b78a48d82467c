import type { Config } from '../../../config/index.js'
import { startService } from '../../index.js'
import { announceStart } from '../announcements/announce-start.js'
import { listenForReload } from '../reload-signal.js'
import { exitBroken, exitIfShutdownHangs, listenForStop } from '../shutdown.js'
import { addDemo } from './demo.js'
import type { DemoOptions } from './demo-options.js'

/** Reads the configuration again. Throws a `ConfigError` with all its faults. */
export type ReadConfig = () => Config | Promise<Config>

/** Runs the service in this process until a signal stops it. */
export async function serve(config: Config, demo: DemoOptions | null, readAgain: ReadConfig): Promise<void> {
  let readLive = () => config
  const signals = listenForStop(() => readLive())
  const reloadSignal = listenForReload()
  const service = await startService(config)
  readLive = service.config
  announceStart(service, config)
  if (demo) await addDemo(demo, { service, stopRequested: signals.requested })
  reloadSignal.serve(() => service.reload(readAgain))
  const fault = await Promise.race([signals.requested, service.broken])
  if (fault) exitBroken(readLive(), fault)
  service.drain()
  if (!fault) await signals.drained()
  exitIfShutdownHangs(readLive())
  await service.stop()
}

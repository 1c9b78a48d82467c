import type { Config } from '../../../config/index.js'
import { shellSample } from '../../../http/index.js'
import { vendors } from '../../../providers/index.js'
import { type Service, startService } from '../../index.js'
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
  console.log(describeStart(service, config).join('\n'))
  if (demo) await addDemo(demo, { service, stopRequested: signals.requested })
  reloadSignal.serve(() => service.reload(readAgain))
  const fault = await Promise.race([signals.requested, service.broken])
  if (fault) exitBroken(readLive(), fault)
  service.drain()
  if (!fault) await signals.drained()
  exitIfShutdownHangs(readLive())
  await service.stop()
}

/** Returns the lines that are printed once the service listens. The first start includes the key and an example call. */
export function describeStart(
  { address, firstKey }: Pick<Service, 'address' | 'firstKey'>,
  config: Config,
): string[] {
  const lines = [`Tallystick listens on ${address}  (docs: ${address}/docs/)`, describeStrictness(config)]
  if (firstKey === null) return lines
  const { bootstrapKey } = config
  lines.push(
    '',
    bootstrapKey === null
      ? `First manager key, shown only once:\n\n  ${firstKey}`
      : 'The first manager key is the value of TALLYSTICK_BOOTSTRAP_KEY.',
    '',
  )
  const model = modelToTry(config)
  if (model === null) return [...lines, 'No provider is configured yet, so there is no model to call.', '']
  const body = { model, messages: [{ role: 'user', content: 'Hello, tally!' }] }
  return [
    ...lines,
    'Try a governed call:',
    '',
    `export TALLYSTICK_URL=${address} TALLYSTICK_KEY=${bootstrapKey === null ? firstKey : '"$TALLYSTICK_BOOTSTRAP_KEY"'}`,
    shellSample({ method: 'POST', path: '/v1/chat/completions', needsKey: true, body }),
    '',
  ]
}

function describeStrictness({ strictness: { strict, because }, allowedRanges }: Config): string {
  if (!strict)
    return `Local trial, because ${because}: webhooks and guardrails may reach any address, and there is a mock provider`
  const ranges = allowedRanges.length > 0 ? `, or ${allowedRanges.join(', ')}` : ''
  return `Strict, because ${because}: webhooks and guardrails reach public addresses by HTTPS${ranges}, and there is no mock provider`
}

function modelToTry({ strictness, models, providers }: Config): string | null {
  if (!strictness.strict) return 'mock/echo'
  const [named] = Object.keys(models)
  if (named !== undefined) return named
  for (const { name, type } of providers) {
    const model = vendors.get(type)?.smallModel
    if (model) return `${name}/${model}`
  }
  return null
}

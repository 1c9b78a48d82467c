import type { Config } from '../config/index.js'
import { type Service, startService } from '../main.js'

/** Runs the service until it is told to stop. A second signal means: now. */
export async function serve(config: Config): Promise<void> {
  const service = await startService(config)
  announce(service, config)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        console.log(`${signal}: no new calls; waiting up to ${Math.ceil(config.shutdownGraceMs / 1000)} s for those under way`)
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
  await service.stop()
}

function announce({ address, firstKey }: Service, config: Config): void {
  const model = config.production ? 'gpt-4o-mini' : 'mock/echo'
  const lines = [`Tallystick listens on ${address}  (reference: ${address}/docs)`]
  if (firstKey !== null) {
    const shown = config.bootstrapKey === null ? firstKey : '$TALLYSTICK_BOOTSTRAP_KEY'
    lines.push(
      '',
      config.bootstrapKey === null
        ? `First manager key, shown this once:\n\n  ${firstKey}`
        : 'The first manager key is the value of TALLYSTICK_BOOTSTRAP_KEY.',
      '',
      'Try a governed call:',
      '',
      `curl ${address}/v1/chat/completions \\`,
      `  -H "Authorization: Bearer ${shown}" \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello, tally!"}]}'`,
      '',
    )
  }
  console.log(lines.join('\n'))
}

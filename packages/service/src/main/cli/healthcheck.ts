import { readProbeUrl } from '../../config/index.js'
import { errorCode } from '../../shared/error-code.js'

// Container engines give up on a check after their own timeout, which should not be shorter.
const timeoutMs = 4_000

/**
 * Runs `tallystick healthcheck`: asks the service of the same environment whether it is ready, so that images need no HTTP client. Loaded
 * without the rest of the program, because container engines run it every few seconds. Returns the exit code.
 */
export async function checkHealth(env: NodeJS.ProcessEnv): Promise<0 | 1> {
  const { url, faults } = readProbeUrl(env, process.cwd())
  if (faults.length > 0) {
    console.error(faults.join('\n'))
    return 1
  }
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
    console.log(`${url}/readyz answers ${answer.status}: ${await answer.text()}`)
    return answer.ok ? 0 : 1
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    console.error(`${url}/readyz does not answer (${errorCode(cause) ?? cause})`)
    return 1
  }
}

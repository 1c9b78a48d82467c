import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { text as readText } from 'node:stream/consumers'
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
    const { status, text } = await get(`${url}/readyz`)
    console.log(`${url}/readyz answers ${status}: ${text}`)
    return status === 200 ? 0 : 1
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    console.error(`${url}/readyz does not answer (${errorCode(cause) ?? cause})`)
    return 1
  }
}

/** The certificate is for another name than this machine's own address, and nothing secret is sent, so it is not verified. */
function get(url: string): Promise<{ status: number; text: string }> {
  const options = { signal: AbortSignal.timeout(timeoutMs), rejectUnauthorized: false, agent: false as const }
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? getSecure : getPlain
    send(url, options, (answer) => {
      readText(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
    }).on('error', reject)
  })
}

import type { Config } from '../../../config/index.js'
import { connectToRedis } from '../../../limits/index.js'
import { createHttpProvider } from '../../../providers/index.js'
import { createFindings, type Finding, messageOf } from './finding.js'

const redisTimeoutMs = 3_000
const redis = createFindings('redis')
const proxy = createFindings('proxy')

export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return [redis.ok('not used: one process counts the limits')]
  const log = { info: () => undefined, warn: () => undefined }
  const connection = await connectToRedis({ url: redisUrl, commandTimeoutMs: redisTimeoutMs, log })
  try {
    await connection.check()
    return [redis.ok('answers, and keeps what is stored')]
  } catch (error) {
    return [
      redis.failed(
        messageOf(error),
        'Check REDIS_URL and the server: without it calls are refused or limits are counted apart',
      ),
    ]
  } finally {
    await connection.close()
  }
}

/** Asks each configured provider for something that costs nothing, with each of its credentials. */
export async function checkProviders({ providers, machine }: Config): Promise<Finding[]> {
  return await Promise.all(
    providers.map(async (settings) => {
      const { ok, failed } = createFindings(`provider ${settings.name}`)
      const provider = createHttpProvider(settings, { machine })
      try {
        const { error, latencyMs } = await provider.check()
        return error === null
          ? ok(`answers in ${latencyMs} ms and accepts its credentials`)
          : failed(error, 'Check its credentials and baseUrl, and that this machine may reach it')
      } finally {
        await provider.transport.close()
      }
    }),
  )
}

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

/** Calls go straight to their providers: the variables of proxies are not read. */
export async function checkProxy(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const set = proxyVariables.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name])
  const findings: Finding[] = []
  if (set.length > 0)
    findings.push(
      proxy.warning(
        `${set.join(', ')}: set, and not used`,
        'Calls leave this machine directly; allow that, or route them to a gateway by baseUrl',
      ),
    )
  if (config.publicUrl !== null && config.trustedProxies.length === 0)
    findings.push(
      proxy.warning(
        'TALLYSTICK_PUBLIC_URL is set, and no proxy is trusted',
        'Set TALLYSTICK_TRUSTED_PROXIES to the addresses of the proxy, so that the addresses of callers are known',
      ),
    )
  return findings.length > 0 ? findings : [proxy.ok('no setting is ignored')]
}

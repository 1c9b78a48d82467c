import type { Config } from '../../../config/index.js'
import { connectToRedis } from '../../../limits/index.js'
import { checkProxies, createOutbound } from '../../../outbound/index.js'
import { createHttpProvider, type HttpProviderParts } from '../../../providers/index.js'
import { messageOf } from '../../../shared/error-message.js'
import { createFindings, type Finding } from './finding.js'

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
export async function checkProviders({ providers, machine, proxies }: Config): Promise<Finding[]> {
  const outbound = createOutbound({ strict: false, proxies })
  const createAgent: NonNullable<HttpProviderParts['createAgent']> = (options) =>
    outbound.createAgent({ ...options, isVetted: false })
  return await Promise.all(
    providers.map(async (settings) => {
      const { ok, failed } = createFindings(`provider ${settings.name}`)
      const provider = createHttpProvider(settings, { machine, createAgent })
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

/** The proxies that requests leave by, and the one in front of the service. */
export async function checkProxy(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  if (config.proxies === null && (env.ALL_PROXY ?? env.all_proxy))
    findings.push(proxy.warning('ALL_PROXY: set, and not used', 'Set HTTPS_PROXY, and HTTP_PROXY if needed'))
  for (const { scheme, name, fault } of config.proxies ? await checkProxies(config.proxies) : [])
    findings.push(
      fault === null
        ? proxy.ok(`${scheme} targets are reached through ${name}, which accepts connections`)
        : proxy.failed(
            fault,
            `Check ${scheme.toUpperCase()}_PROXY, and that this machine may reach the proxy`,
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

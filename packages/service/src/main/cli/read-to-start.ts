import { once } from 'node:events'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { type Config, ConfigError, readStartPlaces } from '../../config/index.js'
import { errorCode } from '../../shared/error-code.js'
import type { ReadConfig } from './commands/serve.js'

export interface StartSource {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/**
 * Reads the configuration of a service that is about to start. Its address and data directory are checked too, even while other settings
 * have faults, so that one report has all of them. Nothing is created.
 */
export async function readToStart(
  read: ReadConfig,
  { env, cwd }: StartSource,
  faultsOf: (config: Config) => string[],
): Promise<Config> {
  const { address, dataDir } = readStartPlaces(env, cwd)
  const faults = [
    ...(address === null ? [] : await faultsOfAddress(address)),
    ...(dataDir === null ? [] : faultsOfDataDir(dataDir)),
  ]
  try {
    const config = await read()
    faults.push(...faultsOf(config))
    if (faults.length === 0) return config
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...error.faults, ...faults]) : error
  }
  throw new ConfigError(faults)
}

async function faultsOfAddress({ host, port }: { host: string; port: number }): Promise<string[]> {
  const probe = createServer().listen({ host, port })
  try {
    await once(probe, 'listening')
  } catch (error) {
    const code = errorCode(error) ?? ''
    return [
      listenErrors[code]?.(host, port) ??
        `TALLYSTICK_HOST, TALLYSTICK_PORT: cannot listen there (${code}); choose another address`,
    ]
  }
  probe.close()
  await once(probe, 'close')
  return []
}

const listenErrors: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `TALLYSTICK_PORT: another program listens on port ${port} of ${host}; stop it, or choose another port`,
  EACCES: (_, port) => `TALLYSTICK_PORT: this user may not listen on port ${port}; choose one above 1023`,
  EADDRNOTAVAIL: (host) =>
    `TALLYSTICK_HOST: this machine does not have the address ${host}; choose one that it has, or 0.0.0.0 for all`,
  ENOTFOUND: (host) => `TALLYSTICK_HOST: there is no host called ${host}; check the name, or use an address`,
}

/** The data directory is a folder, or can become one. */
function faultsOfDataDir(path: string): string[] {
  let existing = path
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  try {
    if (!statSync(existing).isDirectory())
      return [`TALLYSTICK_DATA_DIR: ${existing} is not a folder; choose another path`]
    accessSync(existing, constants.W_OK)
    return []
  } catch (error) {
    return [
      `TALLYSTICK_DATA_DIR: this user may not write to ${existing} (${errorCode(error)}); change its owner, or choose another path`,
    ]
  }
}

import { type Config, ConfigError } from '../../../config/index.js'
import { openSecretReader } from '../../../secret-stores/index.js'
import { readConfigWithSecrets } from '../../index.js'
import { checkDatabase } from './database.js'
import { checkFiles } from './files.js'
import { createFindings, describeFindings, type Finding, overallState } from './finding.js'
import { checkProviders, checkProxy, checkRedis } from './network.js'

export interface DoctorOptions {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  isJson: boolean
}

/** Runs `tallystick doctor`: checks what the service depends on, changes nothing, and says what to do. Returns the exit code. */
export async function runDoctor({ env, cwd, isJson }: DoctorOptions): Promise<0 | 1> {
  const findings = await examine(env, cwd)
  const state = overallState(findings)
  console.log(isJson ? JSON.stringify({ state, checks: findings }, null, 2) : describeFindings(findings))
  return state === 'failed' ? 1 : 0
}

async function examine(env: DoctorOptions['env'], cwd: string): Promise<Finding[]> {
  const settings = createFindings('settings')
  let config: Config
  try {
    config = await readConfigWithSecrets({ env, cwd }, openSecretReader(env, cwd))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map((fault) =>
      settings.failed(fault, 'docs/reference/configuration.md lists all settings'),
    )
  }
  const findings = await Promise.all([
    checkFiles(config),
    checkDatabase(config),
    checkRedis(config),
    checkProviders(config),
    checkProxy(config, env),
  ])
  return [settings.ok('can be read'), ...findings.flat()]
}

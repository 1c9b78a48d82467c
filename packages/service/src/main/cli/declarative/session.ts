import { readFileSync } from 'node:fs'
import { readProbeUrl } from '../../../config/index.js'
import { readProxies } from '../../../config/settings/network/proxies.js'
import { createVariableReader, type ReadVariable } from '../../../config/settings/variables.js'
import { createOutbound } from '../../../outbound/index.js'
import { errorCode } from '../../../shared/error-code.js'
import { type Client, createClient, Refusal } from './client.js'
import { CommandFailure } from './failure.js'
import { isObject, stringOf } from './json.js'
import { kinds } from './kinds/index.js'
import { createNames, type Names } from './names.js'
import type { Output } from './output.js'
import { type FindSchema, readSchemas } from './schemas.js'

export interface Session {
  client: Client
  names: Names
  findSchema: FindSchema
  readVariable: ReadVariable
  /** The key that the command uses. */
  keyId: string
  output: Output
}

export interface ServiceOptions {
  url: string | null
  keyFile: string | null
}

/** Reads where the service is and checks the key. The key is never an argument, because others see the arguments of a process. */
export async function openSession(
  { url, keyFile }: ServiceOptions,
  { env, cwd, output }: { env: NodeJS.ProcessEnv; cwd: string; output: Output },
): Promise<Session> {
  const faults: string[] = []
  const readVariable = createVariableReader(env, cwd, faults)
  const address = url ?? readVariable('TALLYSTICK_URL') ?? readProbeUrl(env, cwd).url
  if (!URL.canParse(address) || !/^https?:/.test(address))
    faults.push('--url, TALLYSTICK_URL: must be the http or https URL of the service')
  const proxies = readProxies(readVariable, faults)
  const key = keyFile === null ? readVariable('TALLYSTICK_API_KEY') : readKeyFile(keyFile, faults)
  if (key === null && faults.length === 0)
    faults.push('Set TALLYSTICK_API_KEY or --key-file to a manager key of the service')
  if (faults.length > 0 || key === null) throw new CommandFailure(faults)
  output.hide([key])
  const { operator } = createOutbound({ strict: false, proxies })
  const client = createClient(address, key, operator)
  const caller = await whoIs(client, address)
  if (caller.role !== 'manager')
    throw new CommandFailure([
      `The key has the role ${stringOf(caller.role)}; this command needs a manager key`,
    ])
  return {
    ...{ client, readVariable, output },
    names: createNames(client, kinds),
    findSchema: readSchemas(await client.get('/openapi.json')),
    keyId: stringOf(caller.keyId),
  }
}

async function whoIs(client: Client, address: string) {
  try {
    const caller = await client.get('/v1/session')
    return isObject(caller) ? caller : {}
  } catch (error) {
    if (error instanceof Refusal) throw new CommandFailure([`${address}: ${error.message}`])
    throw error
  }
}

function readKeyFile(path: string, faults: string[]): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch (error) {
    faults.push(`--key-file: must be the path of a readable file (${errorCode(error)})`)
    return null
  }
}

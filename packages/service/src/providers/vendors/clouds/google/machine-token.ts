import { type JsonObject, parseObject } from '@tallystick/record/json'
import {
  CloudIdentityError,
  fetchGoogleMetadataToken,
  type ShortLivedToken,
} from '../../../../cloud/index.js'
import { errorCode } from '../../../../shared/error-code.js'
import type { AuthorizeTools, MachineAccess } from '../../vendor.js'
import { fetchGoogleToken, findGoogleCredentialFault } from './access-token.js'

/** The order in which they are tried, which is that of the vendor's own SDKs. */
export const googleSources = ['file', 'instance'] as const

/** Fetches a token with the file of GOOGLE_APPLICATION_CREDENTIALS, or from the metadata server. */
export async function fetchMachineToken(
  { from }: JsonObject,
  tools: AuthorizeTools,
): Promise<ShortLivedToken> {
  const { machine } = tools
  if (machine === null) throw new Error('This credential may not use the identity of this machine')
  const file = machine.environment.GOOGLE_APPLICATION_CREDENTIALS
  if (from === 'instance' || (from === undefined && !file))
    return await fetchGoogleMetadataToken(machine).catch((error) => {
      if (!(error instanceof CloudIdentityError)) throw error
      const before = from === undefined ? 'file: GOOGLE_APPLICATION_CREDENTIALS is not set; ' : ''
      throw new CloudIdentityError(
        `There are no Google credentials (${before}instance: ${error.message})`,
        error.isRefused,
        error,
      )
    })
  return await fetchGoogleToken(await readCredentialFile(file, machine), tools)
}

async function readCredentialFile(file: string | undefined, machine: MachineAccess): Promise<JsonObject> {
  const fail = (reason: string) =>
    new CloudIdentityError(
      `There are no Google credentials (file: GOOGLE_APPLICATION_CREDENTIALS ${reason})`,
      true,
    )
  if (!file) throw fail('is not set')
  const text = await machine.readFile(file).catch((error) => {
    throw fail(`cannot be read (${errorCode(error)})`)
  })
  const credential = parseObject(text) ?? {}
  const fault = findGoogleCredentialFault(credential, true)
  if (fault !== null) throw fail(fault)
  return credential
}

import { asObject, parseObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import { sendCloudRequest } from '../../cloud/index.js'
import type { VaultConfig } from '../../config/index.js'
import { type SecretStore, SecretStoreError } from '../secret-store.js'
import type { SendToVault } from './send-to-vault.js'
import { createVaultToken } from './vault-token.js'

/**
 * Reads secrets of the KV engine, version 2. A location is `MOUNT/PATH`, with `?version=N` for a version that is not the current one.
 * https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2
 */
export function createVault(config: VaultConfig, dispatcher: Dispatcher, now: () => number): SecretStore {
  const send: SendToVault = async (method, path, { token, body }) =>
    await sendCloudRequest({
      ...{ what: 'Vault', method, url: `${config.address}/v1/${path}`, dispatcher },
      headers: {
        'x-vault-request': 'true',
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { 'x-vault-token': token }),
        ...(config.namespace !== null && { 'x-vault-namespace': config.namespace }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const token = createVaultToken(config.login, send, now)

  async function read(path: string): Promise<string> {
    let answer = await send('GET', path, { token: await token.get() })
    // The token may have been revoked before its lease ended.
    if (answer.status === 403 && token.discard())
      answer = await send('GET', path, { token: await token.get() })
    if (answer.status !== 200) throw new SecretStoreError(describeStatus(answer.status))
    const secret = asObject(parseObject(answer.text)?.data).data
    if (typeof secret === 'object' && secret !== null && !Array.isArray(secret)) return JSON.stringify(secret)
    throw new SecretStoreError('is not a secret of the KV engine, version 2')
  }

  return { read: async (location) => await read(pathOf(location)) }
}

function pathOf(location: string): string {
  const [path = '', query = ''] = location.split('?')
  const segments = path.split('/')
  const isPath = segments.length >= 2 && segments.every((each) => !['', '.', '..'].includes(each))
  if (!isPath || !/^(version=[1-9]\d{0,9})?$/.test(query))
    throw new SecretStoreError('must be MOUNT/PATH, optionally with ?version=N')
  const [mount, ...rest] = segments.map(encodeURIComponent)
  return `${mount}/data/${rest.join('/')}${query && `?${query}`}`
}

/** https://developer.hashicorp.com/vault/api-docs#http-status-codes */
function describeStatus(status: number): string {
  switch (status) {
    case 403:
      return 'cannot be read: Vault answered 403, so the token or its policy does not allow it'
    case 404:
      return 'cannot be read: Vault answered 404, so there is no such secret, or this version was deleted'
    case 503:
      return 'cannot be read: Vault answered 503, so it is sealed or down for maintenance'
    default:
      return `cannot be read: Vault answered ${status}`
  }
}

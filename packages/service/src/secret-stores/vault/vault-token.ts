import { readFile } from 'node:fs/promises'
import { asCount, asObject, asText, parseObject } from '@tallystick/record/json'
import type { VaultConfig } from '../../config/index.js'
import { errorCode } from '../../shared/error-code.js'
import { SecretStoreError } from '../secret-store.js'
import type { SendToVault } from './send-to-vault.js'

export interface VaultToken {
  get(): Promise<string>
  /** Forgets a token that was refused. Returns whether another can be had. */
  discard(): boolean
}

// A token that was given is renewed at most this often: its lease is not known here.
const renewEveryMs = 600_000

/** Logs in, and again when half of the lease is over. A token that was given is renewed instead. */
export function createVaultToken(
  login: VaultConfig['login'],
  send: SendToVault,
  now: () => number,
): VaultToken {
  return login.method === 'token'
    ? createGivenToken(login.token, send, now)
    : createLeasedToken(login, send, now)
}

type Login = Exclude<VaultConfig['login'], { method: 'token' }>

function createLeasedToken(login: Login, send: SendToVault, now: () => number): VaultToken {
  let current: { token: string; replaceAtMs: number } | null = null
  let pending: Promise<string> | null = null

  async function logIn(): Promise<string> {
    const sentAtMs = now()
    const { path, body } = await describeLogin(login)
    const { status, text } = await send('POST', `auth/${path}/login`, { body })
    if (status !== 200) throw new SecretStoreError(`cannot be read: the login to Vault answered ${status}`)
    const { client_token: value, lease_duration: seconds } = asObject(parseObject(text)?.auth)
    const token = asText(value)
    if (token === '') throw new SecretStoreError('cannot be read: the login to Vault gave no token')
    // A lease of 0 does not end.
    const leaseMs = asCount(seconds) * 1_000 || Number.POSITIVE_INFINITY
    current = { token, replaceAtMs: sentAtMs + leaseMs / 2 }
    return token
  }

  return {
    async get() {
      if (current !== null && now() < current.replaceAtMs) return current.token
      // Several secrets are read at once, after one login.
      pending ??= logIn().finally(() => {
        pending = null
      })
      return await pending
    },
    discard() {
      current = null
      return true
    },
  }
}

function createGivenToken(token: string, send: SendToVault, now: () => number): VaultToken {
  let renewAtMs = 0
  return {
    async get() {
      if (now() >= renewAtMs) {
        renewAtMs = now() + renewEveryMs
        // A root token and some others cannot be renewed. If the token has ended, reading says so.
        await send('POST', 'auth/token/renew-self', { token, body: {} }).catch(() => undefined)
      }
      return token
    },
    discard: () => false,
  }
}

async function describeLogin(login: Login): Promise<{ path: string; body: object }> {
  const { path } = login
  if (login.method === 'approle') return { path, body: { role_id: login.roleId, secret_id: login.secretId } }
  // Kubernetes replaces this file before the token in it expires.
  const jwt = await readFile(login.tokenFile, 'utf8').catch((error) => {
    const reason = `the token of the Kubernetes service account cannot be read (${errorCode(error)})`
    throw new SecretStoreError(`cannot be read: ${reason}`, error)
  })
  return { path, body: { role: login.role, jwt: jwt.trim() } }
}

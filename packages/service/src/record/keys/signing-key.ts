import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type PublicKey, readPublicJwk } from '@tallystick/record/format'
import { errorCode } from '../../shared/error-code.js'
import { createKeyFile, keyFilePath, prepareNextKeyFile, readKeyFile } from './key-file.js'

export interface SigningKey {
  publicKey: PublicKey
  sign(message: Uint8Array): Buffer
}

export interface SigningKeySource {
  dataDir: string
  /** PEM text, or the path of a PEM file; null for a generated key in the data directory. */
  configured: string | null
}

export async function loadOrCreateSigningKey(source: SigningKeySource): Promise<SigningKey> {
  return (await loadSigningKey(source)) ?? readGeneratedKey(source, await createKeyFile(source.dataDir))
}

/** Null when none is configured and none was generated yet. */
export async function loadSigningKey(source: SigningKeySource): Promise<SigningKey | null> {
  if (source.configured !== null)
    return readSigningKey(await readConfiguredPem(source.configured), 'The configured signing key')
  const pem = await readKeyFile(source.dataDir)
  return pem === null ? null : readGeneratedKey(source, pem)
}

/** The private key in PEM form, for a backup. Null when there is none. */
export async function readSigningPem({ configured, dataDir }: SigningKeySource): Promise<string | null> {
  return configured === null ? await readKeyFile(dataDir) : await readConfiguredPem(configured)
}

/** Generates the key that will replace the current one, on disk; returns the same one if an earlier attempt failed. */
export async function prepareNextSigningKey(dataDir: string): Promise<SigningKey> {
  return readSigningKey(await prepareNextKeyFile(dataDir), `The next signing key in ${dataDir}`)
}

const readGeneratedKey = ({ dataDir }: SigningKeySource, pem: string) =>
  readSigningKey(pem, `The signing key in ${keyFilePath(dataDir)}`)

export function readSigningKey(pem: string, subject: string): SigningKey {
  const privateKey = parsePrivateKey(pem, subject)
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${subject} is of type ${privateKey.asymmetricKeyType}; it must be Ed25519`)
  }
  const publicKey = readPublicJwk(createPublicKey(privateKey).export({ format: 'jwk' }))
  return { publicKey, sign: (message) => sign(null, message, privateKey) }
}

function parsePrivateKey(pem: string, subject: string): KeyObject {
  if (pem.includes('-----BEGIN PUBLIC KEY-----')) {
    throw new Error(`${subject} is a public key; signing needs the private one`)
  }
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Error(`${subject} is not an unencrypted private key in PEM form`)
  }
}

// Does not check file permissions: a secret that is mounted into a container is often readable by a group.
async function readConfiguredPem(configured: string): Promise<string> {
  if (configured.includes('-----BEGIN')) return configured
  try {
    return await readFile(configured, 'utf8')
  } catch (error) {
    // Does not print the value: it may be the secret itself, pasted without its first line.
    throw new Error(
      `The configured signing key is neither PEM text nor the path of a readable file (${errorCode(error)})`,
    )
  }
}

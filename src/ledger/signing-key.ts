import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type PublicKey, readPublicJwk } from './public-key.js'

export interface SigningKey {
  publicKey: PublicKey
  sign(message: Uint8Array): Buffer
}

export interface SigningKeySource {
  dataDir: string
  /** PEM text, or the path of a PEM file; null to keep a key of our own in the data directory. */
  configured: string | null
}

const KEY_FILE = 'signing-key.pem'
const PERMISSIONS_OF_OTHERS = 0o077

export async function loadOrCreateSigningKey({ dataDir, configured }: SigningKeySource): Promise<SigningKey> {
  if (configured !== null)
    return readSigningKey(await readConfiguredPem(configured), 'The configured signing key')
  const path = join(dataDir, KEY_FILE)
  const pem = (await readKeptPem(path)) ?? (await createKeptPem(dataDir, path))
  return readSigningKey(pem, `The signing key in ${path}`)
}

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

// Its permissions are not judged: a secret mounted into a container is often readable by a group, and rightly so.
async function readConfiguredPem(configured: string): Promise<string> {
  if (configured.includes('-----BEGIN')) return configured
  try {
    return await readFile(configured, 'utf8')
  } catch (error) {
    // The value is not repeated: it may be the secret itself, pasted without its first line.
    throw new Error(
      `The configured signing key is neither PEM text nor the path of a readable file (${codeOf(error)})`,
    )
  }
}

async function readKeptPem(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    // Whoever could read it may have signed with it, so narrowing the mode in silence would hide something.
    // Windows reports every file as open to all.
    if (process.platform !== 'win32' && (mode & PERMISSIONS_OF_OTHERS) !== 0) {
      throw new Error(
        `The signing key in ${path} is open to other users (mode ${(mode & 0o777).toString(8)}); make it 600, or replace it`,
      )
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return null
    if (code === undefined) throw error
    throw new Error(`The signing key in ${path} cannot be read (${code})`)
  }
}

// A rename would replace the key of a process that started at the same time. A link fails when the name is taken,
// and the name never stands for a half-written file; so whoever comes second reads the key of the first.
async function createKeptPem(dataDir: string, path: string): Promise<string> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const draftPath = `${path}.${randomUUID()}`
  await mkdir(dataDir, { recursive: true })
  try {
    await writeDurably(draftPath, pem)
    await link(draftPath, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return await readFile(path, 'utf8')
  } finally {
    await rm(draftPath, { force: true })
  }
  await syncDirectory(dataDir)
  return pem
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

// Without it a power cut can forget the name, and the next start would sign with another key.
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

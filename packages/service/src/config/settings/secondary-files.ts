import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Returns PEM text, or the absolute path of a PEM file. The file is read here only to report a fault at the start. */
export function readSigningKey(value: string | null, cwd: string, faults: string[]): string | null {
  if (value === null) return null
  const isText = value.includes('-----BEGIN')
  const configured = isText ? value : resolve(cwd, value)
  const fault = faultInSigningKey(configured, isText)
  if (fault !== null) faults.push(`TALLYSTICK_SIGNING_KEY: ${fault}`)
  return configured
}

function faultInSigningKey(configured: string, isText: boolean): string | null {
  const pem = isText ? configured : readOrNull(configured)
  if (pem === null)
    return 'must be an Ed25519 private key in PEM form, or the path of a readable file with one'
  try {
    const { asymmetricKeyType } = createPrivateKey(pem)
    return asymmetricKeyType === 'ed25519'
      ? null
      : `is a key of type ${asymmetricKeyType}; it must be Ed25519`
  } catch {
    return 'is not an unencrypted private key in PEM form'
  }
}

/** Checks that the file can be read. Its prices are checked when the catalogue is read. */
export function checkPricesFile(path: string, faults: string[]): void {
  const text = readOrNull(path)
  if (text === null) faults.push(`pricesFile: ${path} cannot be read`)
  else if (!isJsonObject(text)) faults.push(`pricesFile: ${path} is not a JSON object keyed by model name`)
}

/** Checks the folder and its packs. */
export function checkPacksDir(
  { name, path }: { name: string; path: string },
  faultsInPacks: (folder: string) => string[],
  faults: string[],
): void {
  try {
    readdirSync(path)
  } catch {
    faults.push(`${name}: ${path} is not a folder that can be read`)
    return
  }
  faults.push(...faultsInPacks(path).map((fault) => `${name}: ${fault}`))
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

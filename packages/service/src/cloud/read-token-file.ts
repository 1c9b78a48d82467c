import { readFile } from 'node:fs/promises'
import { errorCode } from '../shared/error-code.js'
import { CloudIdentityError } from './cloud-identity-error.js'

/** Reads a token that the platform keeps in a file. `name` is the variable that names the file. */
export async function readTokenFile(name: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new CloudIdentityError(`the file of ${name} cannot be read (${errorCode(error)})`, true, error)
  })
  const token = text.trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CloudIdentityError(`the file of ${name} has no token`, true)
}

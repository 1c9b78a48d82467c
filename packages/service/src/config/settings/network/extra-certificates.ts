import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../../shared/error-code.js'
import type { ReadVariable } from '../variables.js'

const name = 'NODE_EXTRA_CA_CERTS'

/** Node read these certificates when the process started. It ignores a file that it cannot use, and every connection would fail. */
export function checkExtraCertificates(read: ReadVariable, cwd: string, faults: string[]): void {
  const path = read(name)
  if (path === null) return
  try {
    const certificates = readFileSync(resolve(cwd, path), 'utf8').match(
      /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g,
    )
    for (const certificate of certificates ?? []) new X509Certificate(certificate)
    if (certificates === null) faults.push(`${name}: the file has no certificate in PEM format`)
  } catch (error) {
    faults.push(
      `${name}: must be the path of a readable file with certificates in PEM format (${errorCode(error)})`,
    )
  }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { errorCode } from '../../../shared/error-code.js'
import type { ReadVariable } from '../variables.js'

/** The files of the certificate that the service answers with. They are read again when they change. */
export interface TlsConfig {
  certificatePath: string
  keyPath: string
  minVersion: TlsVersion
}

const versions = ['TLSv1.2', 'TLSv1.3'] as const
type TlsVersion = (typeof versions)[number]

/** Both are null when the service speaks plain HTTP. */
export function readTls(
  read: ReadVariable,
  cwd: string,
  faults: string[],
): { tls: TlsConfig | null; tlsFilesHash: string | null } {
  const [certificate, key] = [read('TALLYSTICK_TLS_CERTIFICATE'), read('TALLYSTICK_TLS_KEY')]
  const minVersion = readVersion(read('TALLYSTICK_TLS_MIN_VERSION'), faults)
  const none = { tls: null, tlsFilesHash: null }
  if (certificate === null && key === null) return none
  if (certificate === null || key === null) {
    faults.push('TALLYSTICK_TLS_CERTIFICATE, TALLYSTICK_TLS_KEY: set both of them, or none')
    return none
  }
  const [certificatePath, keyPath] = [resolve(cwd, certificate), resolve(cwd, key)]
  const tls = { certificatePath, keyPath, minVersion }
  try {
    const [cert, key] = [readFileSync(certificatePath), readFileSync(keyPath)]
    createSecureContext({ cert, key })
    return { tls, tlsFilesHash: createHash('sha256').update(cert).update(key).digest('hex') }
  } catch (error) {
    faults.push(
      `TALLYSTICK_TLS_CERTIFICATE, TALLYSTICK_TLS_KEY: must be the paths of a certificate and its key in PEM format (${errorCode(error)})`,
    )
  }
  return { tls, tlsFilesHash: null }
}

function readVersion(text: string | null, faults: string[]): TlsVersion {
  const version = versions.find((each) => each === (text ?? 'TLSv1.2'))
  if (version === undefined) faults.push(`TALLYSTICK_TLS_MIN_VERSION: must be ${versions.join(' or ')}`)
  return version ?? 'TLSv1.2'
}

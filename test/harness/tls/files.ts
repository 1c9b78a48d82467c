import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A certificate for *.example.com, localhost and 127.0.0.1 that vouches for itself, for a hundred years. */
export const hostsCertificate = fileURLToPath(new URL('hosts-certificate.pem', import.meta.url))
export const hostsKey = fileURLToPath(new URL('hosts-key.pem', import.meta.url))

export const readHostsTls = () => ({ cert: readFileSync(hostsCertificate), key: readFileSync(hostsKey) })

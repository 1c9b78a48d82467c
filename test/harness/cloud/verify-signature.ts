import { createHash, createHmac } from 'node:crypto'
import type { CloudRequest } from './loopback.js'

interface Account {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** Checks Signature Version 4 as the service does it: from what arrived alone. Returns why it is refused; null when it is valid. */
export function signatureFault(
  { method, url, headers, body }: CloudRequest,
  account: Account,
  { region, service }: { region: string; service: string },
): string | null {
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  )
  if (parts === null) return 'no signature'
  const [, accessKeyId, scope = '', names = '', signature] = parts
  if (accessKeyId !== account.accessKeyId) return 'another key'
  const day = String(headers['x-amz-date']).slice(0, 8)
  if (scope !== `${day}/${region}/${service}/aws4_request`) return `the scope is ${scope}`
  if (headers['x-amz-security-token'] !== account.sessionToken) return 'another session token'
  for (const required of ['host', 'x-amz-date', ...(account.sessionToken ? ['x-amz-security-token'] : [])])
    if (!names.split(';').includes(required)) return `${required} is not signed`
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const path = url.pathname.replaceAll('%', '%25')
  const request = `${method}\n${path}\n${url.search.slice(1)}\n${signed.join('')}\n${names}\n${hash(body)}`
  const toSign = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${hash(request)}`
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, step) => createHmac('sha256', secret).update(step).digest(),
    `AWS4${account.secretAccessKey}`,
  )
  const expected = createHmac('sha256', key).update(toSign).digest('hex')
  return expected === signature ? null : 'the signature is wrong'
}

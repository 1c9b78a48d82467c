import { createHash, createHmac } from 'node:crypto'

export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  /** Set for temporary keys only. */
  sessionToken?: string
}

export interface RequestToSign {
  method: string
  /** The path as it is sent. */
  path: string
  /** The query without the question mark. */
  query: string
  /** The headers to sign, including `host`; names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * Returns the headers of an AWS Signature Version 4. The path is encoded once more than in the request, as every
 * service except S3 requires. S3 also wants the hash of the body in a header.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signV4(
  request: RequestToSign,
  keys: AwsKeys,
  scope: { region: string; service: string },
  nowMs: number,
): Record<string, string> {
  const timestamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = timestamp.slice(0, 8)
  const isS3 = scope.service === 's3'
  const bodyHash = sha256(request.body)
  const added: Record<string, string> = {
    'x-amz-date': timestamp,
    ...(isS3 && { 'x-amz-content-sha256': bodyHash }),
    ...(keys.sessionToken !== undefined && { 'x-amz-security-token': keys.sessionToken }),
  }
  const signed = Object.entries({ ...request.headers, ...added }).sort(([a], [b]) => compare(a, b))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    isS3 ? request.path : request.path.split('/').map(encode).join('/'),
    canonicalQuery(request.query),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const credentialScope = `${day}/${scope.region}/${scope.service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', timestamp, credentialScope, sha256(canonical)].join('\n')
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (secret, step) => hmac(secret, step),
    `AWS4${keys.secretAccessKey}`,
  )
  const signature = hmac(key, toSign).toString('hex')
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [encode(decode(name)), encode(decode(value))] as const
    })
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** An invalid escape is left unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Compares by bytes rather than by the rules of a language; all of them are ASCII. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

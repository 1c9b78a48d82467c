import { contentOf, decode, type Element, encode, encodeInteger, open, tags } from './der.js'

// RFC 3161. The stamp is over a SHA-256; the token in the response says who stamped it, and when.

const sha256Oid = Buffer.from('608648016503040201', 'hex')
const signedDataOid = Buffer.from('2a864886f70d010702', 'hex')
const tstInfoOid = Buffer.from('2a864886f70d0109100104', 'hex')

export interface TimeStamp {
  /** The token as received, to be stored and shown: a CMS signature over time and hash. */
  token: Buffer
  at: Date
}

/** Requests the authority's certificate too: without it nobody could check the token later. */
export function writeTimeStampRequest(digest: Buffer, nonce: Buffer): Buffer {
  const algorithm = encode(tags.sequence, encode(tags.oid, sha256Oid), encode(tags.null))
  return encode(
    tags.sequence,
    encodeInteger(Buffer.of(1)),
    encode(tags.sequence, algorithm, encode(tags.octetString, digest)),
    encodeInteger(nonce),
    encode(tags.boolean, Buffer.of(0xff)),
  )
}

/**
 * Reads the response and checks that it grants a stamp for this hash and this request. Does not check the signature:
 * those who rely on it must decide whom they trust, and `openssl ts -verify` checks it.
 */
export function readTimeStampResponse(
  response: Buffer,
  { digest, nonce }: { digest: Buffer; nonce: Buffer },
): TimeStamp {
  const [statusInfo, token] = open(decode(response)[0], tags.sequence)
  const status = contentOf(open(statusInfo, tags.sequence)[0], tags.integer).readInt8()
  // 0 is granted; 1 is granted with changes, and the checks below refuse any that matter.
  if (status !== 0 && status !== 1) throw new Error(`The time-stamp authority refused: status ${status}`)
  if (!token) throw new Error('The time-stamp authority granted a token and sent none')

  const [, , imprint, , genTime, ...rest] = readTstInfo(token)
  const [algorithm, hashed] = open(imprint, tags.sequence)
  const isOurHash =
    contentOf(open(algorithm, tags.sequence)[0], tags.oid).equals(sha256Oid) &&
    contentOf(hashed, tags.octetString).equals(digest)
  if (!isOurHash) throw new Error('The time-stamp is for another hash than was sent')
  const echoed = rest.find((element) => element.tag === tags.integer)
  if (!echoed?.raw.equals(encodeInteger(nonce))) throw new Error('The time-stamp answers another request')
  return { token: Buffer.from(token.raw), at: readTime(contentOf(genTime, tags.generalizedTime)) }
}

/** When a token says that it was made. */
export function readTokenTime(token: Buffer): Date {
  const [, , , , genTime] = readTstInfo(decode(token)[0])
  return readTime(contentOf(genTime, tags.generalizedTime))
}

function readTstInfo(token: Element | undefined): Element[] {
  const [type, wrapped] = open(token, tags.sequence)
  if (!contentOf(type, tags.oid).equals(signedDataOid)) throw new Error('A time-stamp token is signed data')
  const [, , content] = open(open(wrapped, tags.context0)[0], tags.sequence)
  const [contentType, wrappedInfo] = open(content, tags.sequence)
  if (!contentOf(contentType, tags.oid).equals(tstInfoOid))
    throw new Error('The token is not of a time-stamp')
  const info = contentOf(open(wrappedInfo, tags.context0)[0], tags.octetString)
  return open(decode(info)[0], tags.sequence)
}

function readTime(content: Buffer): Date {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(content.toString('latin1'))
  if (!match) throw new Error('The time-stamp has no time')
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`)
}

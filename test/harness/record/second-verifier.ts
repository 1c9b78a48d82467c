import { createHash, createPublicKey, verify } from 'node:crypto'

// Written from docs/reference/record-format.md alone, with nothing from src: it shows that the page is enough. It says
// yes or no, and is as short as the page allows.

const sha256 = (...parts: (string | Uint8Array)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()
const leaf = (text: string) => sha256('\0', text)
const node = (left: Uint8Array, right: Uint8Array) => sha256('\u0001', left, right)
const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex')
const unhex = (text: string) => Buffer.from(text, 'hex')
const half = (count: number) => Math.floor(count / 2)

const rootOf = (frontier: readonly Buffer[]) =>
  frontier.length === 0 ? sha256('') : frontier.reduceRight((right, left) => node(left, right))

function append(frontier: Buffer[], size: number, hash: Buffer): void {
  frontier.push(hash)
  for (let n = size; n % 2 === 1; n = half(n)) {
    const [left, right] = frontier.splice(-2)
    if (left && right) frontier.push(node(left, right))
  }
}

export interface Jwk {
  x: string
  kid?: string
}

/** The size and root that a note was signed over by one of the keys; null when by none. */
export function openSeal(
  note: string,
  tenant: string,
  keys: readonly Jwk[],
): { size: number; root: string } | null {
  const [, text = '', signatures = ''] = /^((?:[^\n]+\n){3})\n((?:[^\n]+\n)+)$/.exec(note) ?? []
  const [origin, size = '', root = ''] = text.split('\n')
  const name = `tallystick/${tenant}`
  if (origin !== name || !/^(0|[1-9]\d*)$/.test(size)) return null
  const isSigned = keys.some(({ x }) => {
    const bytes = Buffer.from(x, 'base64url')
    const id = sha256(name, '\n\u0001', bytes).subarray(0, 4)
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return signatures.split('\n').some((line) => {
      const [dash, signer, encoded = ''] = line.split(' ')
      const signature = Buffer.from(encoded, 'base64')
      return (
        dash === '\u2014' &&
        signer === name &&
        id.equals(signature.subarray(0, 4)) &&
        verify(null, Buffer.from(text), key, signature.subarray(4))
      )
    })
  })
  return isSigned ? { size: Number(size), root: hex(Buffer.from(root, 'base64')) } : null
}

const memberNames = {
  'tallystick-export': 'fromSeq frontier keys prev tenant toSeq type v',
  entry: 'canonical seq type',
  seal: 'note size type',
  end: 'entries seals type',
}

const countMembers = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce(
        (sum: number, member) => sum + countMembers(member),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )

/** A line with exactly the members of its type, none repeated. */
function readLine(line: string) {
  const value = JSON.parse(line)
  const names = Object.entries(memberNames).find(([type]) => type === value.type)?.[1]
  // What is left of a text without its strings has one colon for each member.
  const colons = line.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
  if (Object.keys(value).sort().join(' ') !== names || colons !== countMembers(value))
    throw new Error('Not a line')
  return value
}

/** The canonical form of what entries may hold: members in order, no white space. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

/** What cannot be read at all is refused like what is wrong. */
export function verifyExportText(file: string | Uint8Array, keys?: readonly Jwk[]): boolean {
  try {
    const text =
      typeof file === 'string'
        ? file
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file)
    const lines = text.endsWith('\n') ? text.slice(0, -1) : text
    return verifyLines(lines.split('\n').map(readLine), keys)
  } catch {
    return false
  }
}

/** Whether it is a key as the page describes it, under its own id. */
function isKey(key: Record<string, unknown>): boolean {
  const { x } = key
  if (typeof x !== 'string') return false
  const bytes = Buffer.from(x, 'base64url')
  const kid = sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).toString('base64url')
  const own: Record<string, unknown> = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }
  return (
    bytes.length === 32 &&
    bytes.toString('base64url') === x &&
    ['kty', 'crv'].every((name) => name in key) &&
    Object.keys(key).every((name) => key[name] === own[name])
  )
}

function verifyLines([header, ...lines]: ReturnType<typeof readLine>[], keys?: readonly Jwk[]): boolean {
  const { tenant, fromSeq, toSeq } = header
  if (header.type !== 'tallystick-export' || header.v !== 1) return false
  if (!header.keys.keys.every(isKey)) return false
  let size = fromSeq - 1
  let sealedTo = size
  let seals = 0
  let prev: string = header.prev
  const frontier: Buffer[] = header.frontier.map(unhex)
  if (fromSeq === 1 && prev !== hex(sha256(`tallystick/genesis/1\n${tenant}\n`))) return false
  if (frontier.length !== [...size.toString(2)].filter((bit) => bit === '1').length) return false
  for (const [place, line] of lines.entries()) {
    if (line.type === 'entry') {
      const entry = JSON.parse(line.canonical)
      if (canonical(entry) !== line.canonical) return false
      const isInPlace = line.seq === size + 1 && entry.seq === line.seq && entry.prev === prev
      if (!isInPlace || entry.tenant !== tenant || entry.v !== 2) return false
      const hash = leaf(line.canonical)
      append(frontier, size, hash)
      prev = hex(hash)
      size++
    } else if (line.type === 'seal') {
      const seal = openSeal(line.note, tenant, keys ?? header.keys.keys)
      if (line.size !== size || seal?.size !== size || seal.root !== hex(rootOf(frontier))) return false
      sealedTo = size
      seals++
    } else {
      const isCounted = line.entries === size - fromSeq + 1 && line.seals === seals
      return (
        line.type === 'end' && isCounted && place === lines.length - 1 && size === toSeq && sealedTo === size
      )
    }
  }
  return false
}

export function verifyInclusionProof(
  text: string,
  proof: { index: number; size: number; root: string; path: string[]; checkpoint: string },
  keys: readonly Jwk[],
): boolean {
  let hash = leaf(text)
  let f = proof.index
  let s = proof.size - 1
  for (const p of proof.path.map(unhex)) {
    if (s === 0) return false
    if (f % 2 === 1 || f === s) {
      hash = node(p, hash)
      while (f % 2 === 0 && f !== 0) [f, s] = [half(f), half(s)]
    } else hash = node(hash, p)
    ;[f, s] = [half(f), half(s)]
  }
  const seal = openSeal(proof.checkpoint, JSON.parse(text).tenant, keys)
  return s === 0 && hex(hash) === proof.root && seal?.size === proof.size && seal.root === proof.root
}

export function verifyConsistencyProof(proof: {
  from: number
  to: number
  fromRoot: string
  toRoot: string
  path: string[]
}): boolean {
  const { from, to, fromRoot, toRoot } = proof
  if (from === to) return proof.path.length === 0 && fromRoot === toRoot
  if (from === 0) return proof.path.length === 0
  const isPower = Number.isInteger(Math.log2(from))
  const [first, ...rest] = [...(isPower ? [fromRoot] : []), ...proof.path].map(unhex)
  if (!first) return false
  let f = from - 1
  let s = to - 1
  while (f % 2 === 1) [f, s] = [half(f), half(s)]
  let [old, grown] = [first, first]
  for (const p of rest) {
    if (s === 0) return false
    if (f % 2 === 1 || f === s) {
      old = node(p, old)
      grown = node(p, grown)
      while (f % 2 === 0 && f !== 0) [f, s] = [half(f), half(s)]
    } else grown = node(grown, p)
    ;[f, s] = [half(f), half(s)]
  }
  return s === 0 && hex(old) === fromRoot && hex(grown) === toRoot
}

/** The documented formula for an image, by its size in pixels. */
export type ImageRule =
  | { kind: 'tiles'; base: number; perTile: number }
  | { kind: 'patches'; factor: number; maxPatches: number }
  | { kind: 'claude'; patchPx: number; maxEdge: number; maxTokens: number }

export interface Size {
  width: number
  height: number
}

export function countImage(rule: ImageRule, { width, height }: Size, detail: string): number {
  switch (rule.kind) {
    case 'tiles':
      return detail === 'low' ? rule.base : rule.base + rule.perTile * countTiles(width, height)
    case 'patches':
      return Math.ceil(countPatches(width, height, rule.maxPatches) * rule.factor)
    case 'claude':
      return countClaude(width, height, rule)
  }
}

// Fit into 2048 by 2048, then the shorter side down to 768, then tiles of 512.
function countTiles(width: number, height: number): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height))
  const short = Math.min(1, 768 / (Math.min(width, height) * fit))
  const tilesOf = (edge: number) => Math.max(1, Math.ceil(Math.floor(edge * fit * short) / 512))
  return tilesOf(width) * tilesOf(height)
}

// Patches of 32 pixels; when there are too many, the image shrinks until whole patches fit.
function countPatches(width: number, height: number, max: number): number {
  const whole = Math.ceil(width / 32) * Math.ceil(height / 32)
  if (whole <= max) return whole
  const shrink = Math.sqrt((32 * 32 * max) / (width * height))
  const [wide, high] = [(width * shrink) / 32, (height * shrink) / 32]
  const fit = shrink * Math.min(Math.floor(wide) / wide || 1, Math.floor(high) / high || 1)
  return Math.min(max, Math.ceil((width * fit) / 32) * Math.ceil((height * fit) / 32))
}

function countClaude(
  width: number,
  height: number,
  { patchPx, maxEdge, maxTokens }: Extract<ImageRule, { kind: 'claude' }>,
): number {
  const tokensAt = (scale: number) =>
    Math.ceil((width * scale) / patchPx) * Math.ceil((height * scale) / patchPx)
  let scale = Math.min(1, maxEdge / Math.max(width, height))
  while (tokensAt(scale) > maxTokens) scale *= 0.995
  return tokensAt(scale)
}

/** The size that the header of a PNG, GIF, JPEG or WebP says. */
export function readSize(bytes: Buffer): Size | null {
  if (bytes.length >= 24 && bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.length >= 10 && bytes.toString('latin1', 0, 3) === 'GIF')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (bytes.length >= 30 && bytes.toString('latin1', 8, 12) === 'WEBP') return readWebp(bytes)
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes)
  return null
}

function readWebp(bytes: Buffer): Size | null {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}

function readJpeg(bytes: Buffer): Size | null {
  for (let offset = 2; offset + 9 < bytes.length; ) {
    const marker = bytes.readUInt16BE(offset)
    // Start of a frame: 0xffc0 to 0xffcf, but for the three markers among them that are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) }
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
  return null
}

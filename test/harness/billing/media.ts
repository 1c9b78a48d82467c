import { inflateSync } from 'node:zlib'
import { realPdf, realSeconds, realSize } from '../media/real-sizes.js'
import { countImage, readSize, type Size } from './images.js'
import type { VendorModel } from './price-book.js'
import { countText } from './text-tokens.js'

// A page is shown to the model as an image beside its text: guides/pdf-files of OpenAI, build-with-claude/pdf-support of Anthropic.
const renderedPage: Size = { width: 1_224, height: 1_584 }
/** Of plain English. */
const bytesPerToken = 5
/** Text of a page that only a name stands for. */
const pageTextTokens = 600
/** What a link or an id names that says no size. */
const unnamedImage: Size = { width: 2_048, height: 2_048 }

// developers.openai.com/api/docs/guides/audio: a token for each 100 ms of input.
const audioTokensPerSecond = 10

export function imageTokens(model: VendorModel, size: Size, detail = 'high'): number {
  if (!model.images) throw new Refusal('This model does not take images')
  return countImage(model.images, size, detail)
}

export function pdfTokens(model: VendorModel, bytes: Buffer): number {
  const made = realPdf(bytes)
  if (made) return made.pages * imageTokens(model, renderedPage) + Math.ceil(made.textBytes / bytesPerToken)
  const { pages, text } = readPdf(bytes)
  return pages * imageTokens(model, renderedPage) + countText(text, model.encoding)
}

const namedPdfTokens = (model: VendorModel, pages: number) =>
  pages * (imageTokens(model, renderedPage) + pageTextTokens)

/** What is only named: `file-pdf-50`, `https://files.test/50-pages.pdf`, `file_text_30000`, `https://images.test/3000x2000.png`. */
export function namedTokens(model: VendorModel, name: string, detail = 'high'): number {
  const pages = /pdf[-_](\d+)|(\d+)-pages/.exec(name)
  if (pages) return namedPdfTokens(model, Number(pages[1] ?? pages[2]))
  const tokens = /text[-_](\d+)/.exec(name)
  if (tokens) return Number(tokens[1])
  const size = /(\d+)x(\d+)/.exec(name)
  return imageTokens(model, size ? { width: Number(size[1]), height: Number(size[2]) } : unnamedImage, detail)
}

/** An image in base64, a `data:` URL of one, or a link to one. */
export function linkedImageTokens(model: VendorModel, url: string, detail = 'high'): number {
  const bytes = readDataUrl(url)
  return bytes ? inlineImageTokens(model, bytes, detail) : namedTokens(model, url, detail)
}

export function inlineImageTokens(model: VendorModel, bytes: Buffer, detail = 'high'): number {
  const size = realSize(bytes) ?? readSize(bytes)
  if (!size) throw new Refusal('The image data you provided does not represent a valid image')
  return imageTokens(model, size, detail)
}

export const isPdf = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === '%PDF-'

export function readDataUrl(url: string): Buffer | null {
  const match = /^data:[^,]*;base64,/.exec(url)
  return match ? Buffer.from(url.slice(match[0].length), 'base64') : null
}

/** Pages and text of a PDF, also of one whose objects stand in compressed streams. */
export function readPdf(bytes: Buffer): { pages: number; text: string } {
  const raw = bytes.toString('latin1')
  const texts = [raw]
  for (const match of raw.matchAll(/stream\r?\n/g)) {
    const start = match.index + match[0].length
    const end = raw.indexOf('endstream', start)
    if (raw.slice(match.index - 3, match.index) === 'end' || end < 0) continue
    try {
      texts.push(inflateSync(bytes.subarray(start, end)).toString('latin1'))
    } catch {
      // Not compressed: it is in `raw` already.
    }
  }
  const all = texts.join('\n')
  const shown = [...all.matchAll(/\(((?:[^()\\]|\\.)*)\)\s*Tj/g)].map(([, text = '']) => text)
  return { pages: all.match(/\/Type\s*\/Page(?![a-z])/g)?.length ?? 0, text: shown.join('\n') }
}

/** Seconds that a recording was made to play, where that is known; of a WAV file, by the length of its samples; of another format, by a guess at 16 kB a second. */
export function audioTokens(bytes: Buffer): number {
  const wav = bytes.length >= 44 && bytes.toString('latin1', 0, 4) === 'RIFF'
  const seconds =
    realSeconds(bytes) ?? (wav ? (bytes.length - 44) / bytes.readUInt32LE(28) : bytes.length / 16_000)
  return Math.ceil(seconds * audioTokensPerSecond)
}

/** The vendor's own 400. */
export class Refusal extends Error {
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

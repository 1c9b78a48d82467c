import { createHash } from 'node:crypto'
import { hostileAudio } from './hostile-audio.js'
import { hostileImages } from './hostile-images.js'
import { hostilePdfs } from './hostile-pdfs.js'
import { ordinaryAudio } from './ordinary-audio.js'

const nameOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const byName = <T extends { bytes: Buffer }>(files: readonly T[]): (() => ReadonlyMap<string, T>) => {
  let found: Map<string, T> | undefined
  return () => {
    found ??= new Map(files.map((file) => [nameOf(file.bytes), file]))
    return found
  }
}

const recordings = byName([...hostileAudio, ...ordinaryAudio])
const images = byName(hostileImages)
const pdfs = byName(hostilePdfs)

// What the files were made to be, whatever their headers say. Undefined for files from elsewhere.
export const realSeconds = (bytes: Buffer): number | undefined => recordings().get(nameOf(bytes))?.seconds
export const realSize = (bytes: Buffer) => images().get(nameOf(bytes))
export const realPdf = (bytes: Buffer) => pdfs().get(nameOf(bytes))

import { ApiError, baseUrl } from '../../../api'

export interface ExportProgress {
  bytes: number
  entries: number
  /** The number of entries that the export announces; null until its first line has arrived. */
  totalEntries: number | null
}

export interface ExportedFile {
  file: File
  entries: number
}

export interface ExportOptions {
  fromSeq?: number | undefined
  toSeq?: number | undefined
  onProgress(progress: ExportProgress): void
  signal: AbortSignal
}

// Chunks of this size become blobs, which the browser keeps on disk.
const blobBytes = 8 * 1024 * 1024
const progressMs = 100
const lineBreak = 0x0a

/** Downloads an export and reports progress. An incomplete file is never returned. */
export async function streamExport({
  fromSeq,
  toSeq,
  onProgress,
  signal,
}: ExportOptions): Promise<ExportedFile> {
  const query = new URLSearchParams()
  if (fromSeq !== undefined) query.set('fromSeq', String(fromSeq))
  if (toSeq !== undefined) query.set('toSeq', String(toSeq))
  const url = `${baseUrl}/v1/compliance/export?${query}`
  const response = await fetch(url, { signal, credentials: 'same-origin' })
  if (!response.ok || response.body === null)
    throw new ApiError(response.status, await response.json().catch(() => null), response.headers)

  const blobs: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let chunkBytes = 0
  let shownMs = 0
  const count = createLineCount()
  const keep = () => {
    blobs.push(new Blob(chunks))
    chunks = []
    chunkBytes = 0
  }
  const reader = response.body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    chunkBytes += next.value.length
    count.add(next.value)
    if (chunkBytes >= blobBytes) keep()
    if (performance.now() - shownMs < progressMs) continue
    shownMs = performance.now()
    onProgress(count.progress())
  }
  keep()
  onProgress(count.progress())
  const whole = new Blob(blobs)
  const end = readEnd(await whole.slice(-1_000).text())
  if (end === null) throw new Error('The export is incomplete: the connection was closed. Try again.')
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'record.jsonl'
  return { file: new File([whole], name, { type: 'application/x-ndjson' }), entries: end.entries }
}

/** Counts the entries among the lines: neither the header nor seals, which are recognised by their first characters. */
function createLineCount() {
  const sealStart = [...'{"type":"seal"'].map((character) => character.charCodeAt(0))
  let bytes = 0
  let entries = -1
  let place = 0
  let isSeal = true
  let header = ''
  let totalEntries: number | null = null
  return {
    add(chunk: Uint8Array) {
      bytes += chunk.length
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]
        if (byte === lineBreak) {
          if (place < sealStart.length || !isSeal) entries += 1
          place = 0
          isSeal = true
        } else {
          if (place < sealStart.length && byte !== sealStart[place]) isSeal = false
          place += 1
        }
      }
      if (totalEntries !== null || header.length > 100_000) return
      header += new TextDecoder().decode(chunk)
      const [, from, to] = /"fromSeq":(\d+),"toSeq":(\d+)/.exec(header) ?? []
      if (to !== undefined) totalEntries = Number(to) - Number(from) + 1
    },
    progress: (): ExportProgress => ({
      bytes,
      entries: Math.max(0, totalEntries === null ? entries : Math.min(entries, totalEntries)),
      totalEntries,
    }),
  }
}

function readEnd(tail: string): { entries: number } | null {
  const last = tail.trimEnd().split('\n').at(-1) ?? ''
  try {
    const line: { type?: unknown; entries?: unknown } = JSON.parse(last)
    return line.type === 'end' && typeof line.entries === 'number' ? { entries: line.entries } : null
  } catch {
    return null
  }
}

import { readCheckpoint, readPublicJwk } from '@tallystick/record/format'
import {
  checkFiles,
  describeFindings,
  trustKeys,
  UnusableInputError,
  verdictOf,
} from '@tallystick/record/verify'
import type { Fields, FilesProgress, FilesVerdict, NamedFile } from '../protocol.js'
import { openFile } from './file-input.js'

const hints = { key: 'in a file beside it', checkpoint: 'chosen together with it' }
const progressMs = 100

export interface FilesRequest {
  files: readonly NamedFile[]
  keys: readonly Fields[]
  /** Recomputes the cost of every call. */
  costs: boolean
}

/** Verifies the chosen files like `tallystick verify`. Checkpoints among them are compared with the other files. */
export async function verifyFiles(
  { files, keys, costs }: FilesRequest,
  onProgress: (progress: FilesProgress) => void,
): Promise<FilesVerdict> {
  try {
    const trusted = trustKeys(keys.map(readPublicJwk))
    const { documents, checkpoints } = await sort(files)
    const inputs = documents.map(openFile)
    const totalBytes = documents.reduce((sum, file) => sum + file.content.size, 0)
    let shownMs = performance.now()
    const show = (seq: number) => {
      const nowMs = performance.now()
      if (nowMs - shownMs < progressMs) return
      shownMs = nowMs
      const readBytes = inputs.reduce((sum, input) => sum + input.readBytes(), 0)
      onProgress({ readBytes, totalBytes, seq })
    }
    const findings = await checkFiles(inputs, {
      trusted,
      checkpoints,
      costs,
      hints,
      showProgress: () => ({ show, clear: () => undefined }),
    })
    const { areGiven } = trusted
    return { verdict: verdictOf(findings, areGiven), findings, text: describeFindings(findings, areGiven) }
  } catch (error) {
    if (!(error instanceof UnusableInputError)) throw error
    return { verdict: 'unusable', findings: [], text: error.message }
  }
}

// A signed note has at most a hundred signatures.
const maxNoteBytes = 64 * 1024

async function sort(files: readonly NamedFile[]): Promise<{ documents: NamedFile[]; checkpoints: string[] }> {
  const documents: NamedFile[] = []
  const checkpoints: string[] = []
  for (const file of files) {
    const text = file.content.size <= maxNoteBytes ? await readText(file.content) : ''
    if (readCheckpoint(text) === null) documents.push(file)
    else checkpoints.push(text)
  }
  if (documents.length === 0)
    throw new UnusableInputError('A checkpoint alone shows nothing: choose the export to compare with it too')
  return { documents, checkpoints }
}

/** `Blob.text()` would strip a byte order mark, which the command keeps. */
const readText = async (content: Blob) => Buffer.from(await content.arrayBuffer()).toString('utf8')

import { textsInBytes } from '../../../policies/index.js'
import type { TextLocation, UploadedFile } from '../../../providers/index.js'
import type { WaitForTurn } from '../../../shared/turns.js'

/** Returns the texts in uploaded files. They are `fixed`, because parts of a file cannot be replaced. */
export async function readFileTexts(
  files: readonly UploadedFile[],
  waitForTurn: WaitForTurn,
): Promise<TextLocation[]> {
  const texts: string[] = []
  for (const { bytes } of files) texts.push(...(await textsInBytes(bytes, waitForTurn)))
  return texts.map((text) => ({ start: -1, end: -1, text, json: false, isEcho: false, kind: 'fixed' }))
}

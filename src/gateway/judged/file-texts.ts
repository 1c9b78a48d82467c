import { textsInBytes } from '../../modules/policies/index.js'
import type { TextPlace, UploadedFile } from '../../providers/index.js'
import type { WaitForTurn } from '../../turns.js'

/** What files say that are text, wholly or in part. Nothing can be put in the place of a part of one. */
export async function readFileTexts(
  files: readonly UploadedFile[],
  waitForTurn: WaitForTurn,
): Promise<TextPlace[]> {
  const texts: string[] = []
  for (const { bytes } of files) texts.push(...(await textsInBytes(bytes, waitForTurn)))
  return texts.map((text) => ({ start: -1, end: -1, text, json: false, isEcho: false, sort: 'fixed' }))
}

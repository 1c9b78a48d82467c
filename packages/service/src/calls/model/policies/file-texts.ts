import { textsInBytes } from '../../../policies/index.js'
import type { TextLocation, UploadedFile } from '../../../providers/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'

/** Returns the texts in uploaded files. They are `fixed`, because parts of a file cannot be replaced. */
export async function readFileTexts(
  files: readonly UploadedFile[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<TextLocation[]> {
  const texts: string[] = []
  for (const { bytes } of files) texts.push(...(await textsInBytes(bytes, yieldToEventLoop)))
  return texts.map((text) => ({ start: -1, end: -1, text, json: false, isEcho: false, kind: 'fixed' }))
}

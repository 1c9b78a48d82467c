import { readPublicJwk, type UntrustedJwk } from '@tallystick/record/format'
import type { ExportReport } from '@tallystick/record/verify'
import { readExport } from '@tallystick/record/verify'
import { openInput } from './input.js'
import { createProgress } from './progress.js'

/** Checks a file that this program wrote, against keys that do not come from the file. */
export async function verifyExportFile(path: string, keys: readonly UntrustedJwk[]): Promise<ExportReport> {
  const input = openInput(path)
  const trusted = keys.map(readPublicJwk)
  const progress = createProgress(process.stderr, input.shareRead)
  return await readExport({ input, lines: input.lines }, { trust: () => trusted }, progress)
}

import { readPublicJwk, type UntrustedJwk } from '../../ledger/format/public-key.js'
import type { ExportReport } from '../../ledger/verify/export-verifier.js'
import { readExport } from '../../ledger/verify/files/check-exports.js'
import { openInput } from './input.js'
import { createProgress } from './progress.js'

/** Checks a file that this program wrote, against keys that do not come from the file. */
export async function verifyExportFile(path: string, keys: readonly UntrustedJwk[]): Promise<ExportReport> {
  const input = openInput(path)
  const trusted = keys.map(readPublicJwk)
  const progress = createProgress(process.stderr, input.shareRead)
  return await readExport({ input, lines: input.lines }, { trust: () => trusted }, progress)
}

import { rename, writeFile } from 'node:fs/promises'

/** Whoever reads it meanwhile gets the old text or the new one, never a part. */
export async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  await writeFile(`${path}.next`, text, { mode })
  await rename(`${path}.next`, path)
}

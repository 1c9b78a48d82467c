import { rename, writeFile } from 'node:fs/promises'

/** Whoever reads it meanwhile gets the old text or the new one, never a part. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.next`, text)
  await rename(`${path}.next`, path)
}

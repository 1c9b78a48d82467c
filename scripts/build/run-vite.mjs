// `node run-vite.mjs FOLDER` builds the console into a folder. A process of its own, because Vite sets NODE_ENV to production, and a
// service that was built by its own start would take itself for one in production.
import { build } from 'vite'
import config from '../../packages/console/vite.config.mjs'

const [outDir = ''] = process.argv.slice(2)
await build({ ...config, logLevel: 'warn', build: { ...config.build, outDir } })

// `node --import ./scripts/typescript.mjs FILE` runs a file that imports the sources, also in its worker threads.
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)

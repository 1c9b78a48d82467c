import { fileURLToPath } from 'node:url'

const pathOf = (name) => fileURLToPath(new URL(`./worker/node/${name}.ts`, import.meta.url))

/** What a bundler puts in the place of Node's modules, where the verifier of `src/ledger` is built for a browser. */
export const nodeShims = { 'node:buffer': pathOf('buffer'), 'node:crypto': pathOf('crypto') }

import { fileURLToPath } from 'node:url'

const pathOf = (name) => fileURLToPath(new URL(`./src/portable/${name}.ts`, import.meta.url))

/** Replaces Node's modules when the verifier of `@tallystick/record` is bundled for other runtimes. */
export const nodeShims = { 'node:buffer': pathOf('buffer'), 'node:crypto': pathOf('crypto') }

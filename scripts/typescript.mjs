// `node --import ./scripts/typescript.mjs FILE` runs a file that imports the sources, also in its worker threads.
import module from 'node:module'
import * as hooks from './typescript-hooks.mjs'

// From Node 22.15 on; `register` is deprecated since 26.
if (module.registerHooks) module.registerHooks(hooks)
else module.register('./typescript-hooks.mjs', import.meta.url)

// Builds the program into dist/. The types are checked apart: npm run types.
import { buildIfChanged } from './build/build-if-changed.mjs'

if ((await buildIfChanged()) === 'up to date') console.error('dist/ is up to date')

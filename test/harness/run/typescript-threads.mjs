// Tests run the sources. Vite turns them into JavaScript for the tests themselves, but not for the worker threads that
// the program starts: there, every `.js` that is really a `.ts` is compiled by these hooks.
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) await import('../../../scripts/typescript.mjs')

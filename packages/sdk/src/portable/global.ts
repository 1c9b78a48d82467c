import { Buffer } from './buffer.js'

// Must be imported before any module that uses it.
Object.defineProperty(globalThis, 'Buffer', { value: Buffer, configurable: true })

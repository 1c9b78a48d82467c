import { Buffer } from './buffer.js'

// Imported before everything that uses it.
Object.defineProperty(globalThis, 'Buffer', { value: Buffer, configurable: true })

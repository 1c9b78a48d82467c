import { createHash, randomBytes } from 'node:crypto'

const valueBytes = 32

/** What the cookie holds. Random, and nothing but random: all that it means is in the database. */
export const generateSessionValue = (): string => randomBytes(valueBytes).toString('base64url')

export const couldBeSessionValue = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashSessionValue = (value: string): Buffer => createHash('sha256').update(value).digest()

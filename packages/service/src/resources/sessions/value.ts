import { createHash, randomBytes } from 'node:crypto'

const valueBytes = 32

/** The value of the cookie. It is random and contains no information: its meaning is in the database. */
export const generateSessionValue = (): string => randomBytes(valueBytes).toString('base64url')

export const couldBeSessionValue = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashSessionValue = (value: string): Buffer => createHash('sha256').update(value).digest()

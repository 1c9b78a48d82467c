/** A shared master key for replicas with separate data directories, so that each can decrypt the secrets of the others. */
export const masterKey = Buffer.alloc(32, 'tally').toString('base64')

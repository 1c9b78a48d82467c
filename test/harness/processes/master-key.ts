/** For replicas with data directories of their own: what one of them seals, all can open. */
export const masterKey = Buffer.alloc(32, 'tally').toString('base64')

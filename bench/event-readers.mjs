// Readers of event streams: opens as many as it is told to, throws away what they are sent, and counts it.
import { request } from 'node:http'

/** @typedef {{ url: string, keys: string[], perKey: number }} Job */

let bytes = 0
let ended = 0

/** @param {string} url @param {string} key @returns {Promise<void>} */
const open = (url, key) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    request(url, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered with ${response.statusCode}`))
      response.on('data', (/** @type {Buffer} */ piece) => {
        bytes += piece.length
      })
      response.on('close', () => {
        ended += 1
      })
      resolve()
    })
      .on('error', reject)
      .end()
  })

process.on('message', (/** @type {Job | 'report'} */ job) => {
  if (job === 'report') {
    process.send?.({ bytes, ended })
    return
  }
  const opening = job.keys.flatMap((key) => Array.from({ length: job.perKey }, () => open(job.url, key)))
  Promise.all(opening).then(
    () => process.send?.({ opened: opening.length }),
    (error) => process.send?.({ fault: error.message }),
  )
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })

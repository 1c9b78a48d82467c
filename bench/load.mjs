// The caller, a process of its own. It takes one job at a time: calls in a closed loop, or streams that stay open until the upstream ends them.
import { driveCalls } from './load/calls.mjs'
import { createOpenStreams } from './load/open-streams.mjs'

/**
 * @typedef {import('./load/calls.mjs').Job} Job
 * @typedef {import('./load/calls.mjs').Measurement} Measurement
 * @typedef {Job | { prepareStreams: Job } | { openStreams: number } | { countEvents: true } | { closeStreams: true }} Request
 */

/** @type {ReturnType<typeof createOpenStreams> | null} */
let streams = null

/** @param {Request} request */
async function answer(request) {
  if ('prepareStreams' in request) {
    streams = createOpenStreams(request.prepareStreams)
    return {}
  }
  if ('openStreams' in request) return await streams?.open(request.openStreams)
  if ('countEvents' in request) return streams?.count()
  if ('closeStreams' in request) return await streams?.close()
  return await driveCalls(request)
}

process.on('message', (/** @type {Request} */ request) => {
  answer(request).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ fault: `${'url' in request ? `${request.url}: ` : ''}${error.message}` }),
  )
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })

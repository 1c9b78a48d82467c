import { once } from 'node:events'

/**
 * Sends a request to the load generator and waits for its answer.
 * @param {import('node:child_process').ChildProcess} load @param {import('../load.mjs').Request} request @returns {Promise<any>}
 */
export async function ask(load, request) {
  const settled = new AbortController()
  const { signal } = settled
  load.send(request)
  try {
    const [answer] = await Promise.race([
      once(load, 'message', { signal }),
      once(load, 'exit', { signal }).then(() => [{ fault: 'the load generator ended' }]),
    ])
    if (answer.fault !== undefined) throw new Error(answer.fault)
    return answer.result
  } finally {
    settled.abort()
  }
}

/** @param {import('node:child_process').ChildProcess} load @param {import('../load.mjs').Job} job @returns {Promise<import('../load.mjs').Measurement>} */
export const runLoad = (load, job) => ask(load, job)

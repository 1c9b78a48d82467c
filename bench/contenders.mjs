import { startHelper } from './processes.mjs'

/**
 * Something that answers the same call, directly or by asking the upstream.
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} url
 * @property {Record<string, string> | readonly Record<string, string>[]} headers a list is used in turn
 * @property {string} [model] what calls name
 * @property {number | undefined} [pid] whose processor time and memory are measured, with its children
 * @property {string} [dataDir] with the database that counts with it
 */

/** @param {import('./processes.mjs').Cleanup} cleanup */
export async function startUpstream(cleanup) {
  const { first } = await startHelper('upstream.mjs', [], cleanup)
  return `http://127.0.0.1:${first.port}`
}

/** @param {string} upstream @returns {Contender} */
export const goDirectly = (upstream) => ({
  name: 'direct',
  url: `${upstream}/v1/chat/completions`,
  headers: { authorization: 'Bearer sk-bench' },
})

export const baseline = 'bare proxy'

/** @param {string} upstream @param {import('./processes.mjs').Cleanup} cleanup @returns {Promise<Contender>} */
export async function startBareProxy(upstream, cleanup) {
  const { child, first } = await startHelper('contenders/bare-proxy.mjs', [upstream], cleanup)
  return {
    name: baseline,
    pid: child.pid,
    url: `http://127.0.0.1:${first.port}/v1/chat/completions`,
    headers: { authorization: 'Bearer sk-bench' },
  }
}

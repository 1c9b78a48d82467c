import { startHelper } from './processes.mjs'

/**
 * Something that answers the same call, directly or by asking the upstream.
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} url
 * @property {Record<string, string>} headers
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

/** @param {string} upstream @param {import('./processes.mjs').Cleanup} cleanup @returns {Promise<Contender & { pid: number }>} */
export async function startBareProxy(upstream, cleanup) {
  const { child, first } = await startHelper('bare-proxy.mjs', [upstream], cleanup)
  return {
    name: 'bare proxy',
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${first.port}/v1/chat/completions`,
    headers: { authorization: 'Bearer sk-bench' },
  }
}

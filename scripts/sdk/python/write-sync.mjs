// Writes the modules of the synchronous Python client from those of the asynchronous one, so that the two cannot differ.

/** @type {[RegExp, string][]} */
const replacements = [
  [/asyncio/g, 'time'],
  [/\basync (with|for|def)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAwaitable\[('[^']+')\]/g, '$1'],
  [/ Awaitable,/g, ''],
  [/\bAsync(Iterator|ByteStream|Pages|Transport)\b/g, '$1'],
  [/\bhttpx\.AsyncClient\b/g, 'httpx.Client'],
  [/\b_async_/g, '_sync_'],
  [/\ba(read|close|iter_bytes)\b/g, '$1'],
  [/__a(enter|exit|iter)__/g, '__$1__'],
  [/asynchronous/g, 'synchronous'],
]

/** @param {string} name of the asynchronous module @param {string} text */
export const writeSync = (name, text) =>
  `# Generated from ${name} by \`npm run openapi\`. Do not edit.\n${replacements.reduce(
    (written, [pattern, replacement]) => written.replaceAll(pattern, replacement),
    text,
  )}`

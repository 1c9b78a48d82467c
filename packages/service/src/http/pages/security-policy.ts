import { createHash } from 'node:crypto'

/**
 * The Content-Security-Policy of pages, which load only files of this server: no inline scripts but those of
 * `html`, no other origins, no framing.
 */
export const pagePolicy = (html = ''): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...hashInlineScripts(html)].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Sources for `script-src` that allow each inline script of a page by its hash. */
export const hashInlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

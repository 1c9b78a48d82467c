import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { showHidden } from '../../shared/hidden-characters.js'
import type { ConsentSubject, StartedConsent } from './consent.js'

// Inlined and small, because the page is shown once, in a browser that may never load the console.
const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}
h1{font-size:1.25rem}
a.go{display:inline-block;padding:.5rem 1rem;border:1px solid;border-radius:.375rem;text-decoration:none}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendAsk(
  reply: FastifyReply,
  { server, caller, url, otherHost }: Omit<StartedConsent, 'cookie'>,
): FastifyReply {
  const warning =
    otherHost === null
      ? ''
      : `
<p>The permission is then given to <strong>${escapeHtml(otherHost)}</strong>, which is another host. Go on only if you know that
<strong>${escapeHtml(otherHost)}</strong> and <strong>${escapeHtml(url.host)}</strong> belong together: otherwise somebody is trying to take over your account.</p>`
  return send(
    reply,
    200,
    `Connect ${server}`,
    `<p>Tallystick asks for access to an account of yours, so that calls of <strong>${escapeHtml(caller)}</strong> to the server
<strong>${escapeHtml(server)}</strong> can be made in your name.</p>
<p>Go on only if that is you. You give your consent at <strong>${escapeHtml(url.host)}</strong>.</p>${warning}
<p><a class="go" rel="noreferrer" href="${escapeHtml(url.href)}">Go on to ${escapeHtml(url.host)}</a></p>`,
  )
}

export const sendConnected = (reply: FastifyReply, { server, caller }: ConsentSubject): FastifyReply =>
  send(
    reply,
    200,
    'Connected',
    `<p>Calls of <strong>${escapeHtml(caller)}</strong> to the server <strong>${escapeHtml(server)}</strong> are made with your account from now on.
You can close this page.</p>`,
  )

export const sendRefusal = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  send(reply, status, 'Not connected', `<p>${escapeHtml(message)}.</p>`)

function send(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .send(
      `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Tallystick</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`,
    )
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  showHidden(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

import type { Middleware } from 'openapi-fetch'

/** Characters that change the writing direction, so that a text does not read as it is stored. */
const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Replaces each such character within JSON strings by its escape, for example `\u202e`. */
export const escapeDirectionMarks = (json: string): string =>
  json.replace(marks, (mark) => `\\\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)

// Read-only responses with text by users. Responses that are edited or verified keep their characters.
const readOnlyPaths =
  /^\/v1\/(?:calls|usage|audit|attention|sessions|budgets\/requests|webhook-endpoints\/\{id\}\/deliveries)/

/** Escapes direction marks in read-only responses. */
export const directionMarksMiddleware: Middleware = {
  async onResponse({ response, schemaPath }) {
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (!isJson || !readOnlyPaths.test(schemaPath)) return undefined
    const text = await response.clone().text()
    const shown = escapeDirectionMarks(text)
    if (shown === text) return undefined
    const { status, statusText, headers } = response
    return new Response(shown, { status, statusText, headers })
  },
}

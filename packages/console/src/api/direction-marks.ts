import type { Middleware } from 'openapi-fetch'

/** Marks that change the direction of writing: a text with them does not read as it is. */
const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** JSON in which each mark within a text is its code, such as `\u202e`, for people to see. */
export const showMarks = (json: string): string =>
  json.replace(marks, (mark) => `\\\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)

// What people wrote and the console only shows. What can be edited here, and what is verified, keeps its characters.
const shownOnly =
  /^\/v1\/(?:calls|usage|audit|attention|sessions|budgets\/requests|webhook-endpoints\/\{id\}\/deliveries)/

/** Shows the marks in answers that are only read. */
export const revealMarks: Middleware = {
  async onResponse({ response, schemaPath }) {
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (!isJson || !shownOnly.test(schemaPath)) return undefined
    const text = await response.clone().text()
    const shown = showMarks(text)
    if (shown === text) return undefined
    const { status, statusText, headers } = response
    return new Response(shown, { status, statusText, headers })
  },
}

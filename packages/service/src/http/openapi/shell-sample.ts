interface ShellCall {
  method: string
  path: string
  needsKey: boolean
  body?: unknown
  /** The body is a form. A file is an object with its name. */
  isForm?: boolean
}

/** The placeholder for a key in examples. */
const keyExample = 'tallystick_sk_…'

/**
 * Returns the request as a shell command. The key goes through a pipe, and printf is built into the shell: as an
 * argument of curl, every user of the machine could read it in the process list.
 */
export function shellSample({ method, path, needsKey, body, isForm = false }: ShellCall): string {
  const impliedMethod = body === undefined ? 'GET' : 'POST'
  const json = body === undefined ? '' : JSON.stringify(body)
  const containsKey = json.includes(keyExample)
  const parts = [
    'curl',
    ...(needsKey ? ['-H @-'] : []),
    ...(body === undefined || isForm ? [] : ["-H 'Content-Type: application/json'"]),
    ...(method === impliedMethod ? [] : [`-X ${method}`]),
    `"$TALLYSTICK_URL${path}"`,
  ]
  const data = isForm ? formData(body) : containsKey ? ' -d @-' : ` \\\n    -d ${quote(json)}`
  const curl = parts.join(' ') + (body === undefined ? '' : data)
  const piped = containsKey ? quote(asFormat(json)) : needsKey ? "'Authorization: Bearer %s'" : null
  return piped === null ? curl : `printf ${piped} "$TALLYSTICK_KEY" |\n  ${curl}`
}

const formData = (body: unknown): string =>
  Object.entries(Object(body))
    .map(([name, value]) => ` \\\n    -F ${quote(`${name}=${textOfField(value)}`)}`)
    .join('')

const textOfField = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'filename' in value ? `@${value.filename}` : String(value)

/** Returns a printf format into which the key is filled. */
const asFormat = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll(keyExample, '%s')

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

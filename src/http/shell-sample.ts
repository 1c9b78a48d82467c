interface ShellCall {
  method: string
  path: string
  needsKey: boolean
  body?: unknown
}

/**
 * The call as a command to paste. The key goes through a pipe, and printf is part of the shell: as an argument of curl, every user of
 * the machine could read it in the list of processes.
 */
export function shellSample({ method, path, needsKey, body }: ShellCall): string {
  const impliedMethod = body === undefined ? 'GET' : 'POST'
  const words = [
    'curl',
    ...(needsKey ? ['-H @-'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...(method === impliedMethod ? [] : [`-X ${method}`]),
    `"$TALLYSTICK_URL${path}"`,
  ]
  const curl = words.join(' ') + (body === undefined ? '' : ` \\\n    -d ${quote(JSON.stringify(body))}`)
  return needsKey ? `printf 'Authorization: Bearer %s' "$TALLYSTICK_KEY" |\n  ${curl}` : curl
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

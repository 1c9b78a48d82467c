/** The thumbprint of a key is 43 characters of base64url. One in 64 starts with a dash; all options are shorter. */
const dashedThumbprint = /^-[\w-]{42}$/

/** Keeps the parser from reading a thumbprint as an option: it is joined to the option before it, or placed after `--`. */
export function escapeThumbprints(args: readonly string[]): string[] {
  const escaped: string[] = []
  const positionals: string[] = []
  for (const arg of args) {
    const previous = escaped.at(-1)
    if (!dashedThumbprint.test(arg)) escaped.push(arg)
    else if (previous?.startsWith('--')) escaped.splice(-1, 1, `${previous}=${arg}`)
    else positionals.push(arg)
  }
  return positionals.length === 0 ? escaped : [...escaped, '--', ...positionals]
}

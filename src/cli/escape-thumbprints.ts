/** The thumbprint of a key is 43 characters of base64url, and one in 64 begins with a dash; no option is as long. */
const dashed = /^-[\w-]{42}$/

/** Arguments in which no thumbprint is taken for an option: it joins the option before it, or stands behind all options. */
export function shieldThumbprints(args: readonly string[]): string[] {
  const shielded: string[] = []
  const names: string[] = []
  for (const arg of args) {
    const before = shielded.at(-1)
    if (!dashed.test(arg)) shielded.push(arg)
    else if (before?.startsWith('--')) shielded.splice(-1, 1, `${before}=${arg}`)
    else names.push(arg)
  }
  return names.length === 0 ? shielded : [...shielded, '--', ...names]
}

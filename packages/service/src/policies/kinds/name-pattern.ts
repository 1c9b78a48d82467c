/** Longer than any vendor's names. For a longer one the evaluation throws, and the call is refused. */
const maxNameLength = 512

/**
 * True when a name matches a pattern, in which `*` matches any characters. It never backtracks further than the last star: a
 * regular expression with ten of them would take minutes on a hostile name.
 */
export function matchesName(name: string, pattern: string): boolean {
  if (name.length > maxNameLength) throw new Error('a name is too long to be judged')
  let at = 0
  let inPattern = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++
      resume = at
    } else if (inPattern < pattern.length && pattern[inPattern] === name[at]) {
      at++
      inPattern++
    } else if (star !== -1) {
      inPattern = star + 1
      at = ++resume
    } else {
      return false
    }
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}

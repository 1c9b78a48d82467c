import { nextWords } from './commands.js'

/** Describes what there is instead of a command that does not exist: the nearest, or all that begin like it. */
export function suggestCommand([first = '', second]: readonly string[]): string {
  const subjects = nextWords([])
  const actions = nextWords([first])
  if (!subjects.includes(first))
    return didYouMean(first, subjects) || '. tallystick --help lists the commands'
  const nearest = second === undefined ? '' : didYouMean(second, actions, `${first} `)
  return nearest || `. Commands: ${actions.map((action) => `${first} ${action}`).join(', ')}`
}

function didYouMean(word: string, words: readonly string[], prefix = ''): string {
  const [nearest] = words
    .map((candidate) => ({ candidate, edits: countEdits(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.ceil(candidate.length / 3))
    .sort((a, b) => a.edits - b.edits)
  return nearest ? `. Did you mean "${prefix}${nearest.candidate}"?` : ''
}

/** The Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

import { type Change, type DiffLine, diffLines, diffWords } from '../../../text-diff.js'

/** A difference between a definition and the approved one: both values as JSON, null if absent. */
export interface DefinitionChange {
  path: string
  before: string | null
  after: string | null
}

/** A change in display form: a word diff of texts, a line diff of larger values. */
export interface ShownChange {
  path: string
  /** The readable name of the changed member. */
  title: string
  kind: 'added' | 'removed' | 'changed'
  body: { type: 'words'; words: Change<string>[] } | { type: 'lines'; lines: DiffLine[] }
}

/** Two texts with fewer words in common are shown one after the other, because their word diff would be unreadable. */
const minCommonShare = 0.35

export function showChange(change: DefinitionChange): ShownChange {
  const { path } = change
  const before = read(change.before)
  const after = read(change.after)
  const isText = [before, after].every((value) => value === undefined || !isLarge(value))
  return {
    path,
    title: nameOfPath(segmentsOf(path)),
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    body: isText
      ? { type: 'words', words: compareTexts(textOf(before), textOf(after)) }
      : { type: 'lines', lines: compareLarge(before, after) },
  }
}

/** The service limits the number of listed differences and reports the rest as a count. */
const isRest = ({ path }: DefinitionChange) => path === '…'

/** The changes; if the service did not list all of them, the diff of both definitions. */
export function showChanges(
  changes: readonly DefinitionChange[],
  { approved, newest }: { approved: unknown; newest: unknown },
): ShownChange[] {
  if (!changes.some(isRest))
    return changes.map(showChange).toSorted((a, b) => placeOf(a.path) - placeOf(b.path))
  return [showChange({ path: '', before: JSON.stringify(approved), after: JSON.stringify(newest) })]
}

/** Members are sorted by how early models read them. */
const order = ['description', 'title', 'inputSchema', 'outputSchema', 'annotations']

function placeOf(path: string): number {
  const at = order.indexOf(segmentsOf(path)[0] ?? '')
  return at === -1 ? order.length : at
}

const read = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json))

const isLarge = (value: unknown) =>
  typeof value === 'object' && value !== null && JSON.stringify(value).length > 60

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function compareTexts(before: string, after: string): Change<string>[] {
  const words = diffWords(before, after)
  const sizeOf = (kind: Change<string>['kind']) =>
    words.reduce((sum, each) => sum + (each.kind === kind ? each.items.join('').trim().length : 0), 0)
  const isReadable = sizeOf('same') >= minCommonShare * Math.min(before.length, after.length)
  if (isReadable || before === '' || after === '') return words
  return [
    { kind: 'removed', items: [before] },
    { kind: 'added', items: [after] },
  ]
}

const linesOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

function compareLarge(before: unknown, after: unknown): DiffLine[] {
  if (before !== undefined && after !== undefined) return diffLines(linesOf(before), linesOf(after))
  const isAdded = before === undefined
  return linesOf(isAdded ? after : before)
    .split('\n')
    .map((line, n) => ({
      kind: isAdded ? 'added' : 'removed',
      words: [{ kind: 'same', items: [line] }],
      before: isAdded ? null : n + 1,
      after: isAdded ? n + 1 : null,
    }))
}

/** Lines that are shown, or unchanged ones that are folded. */
export type LineGroup = { isFolded: boolean; lines: DiffLine[] }

const context = 3

/** Folds long unchanged stretches and keeps some lines around each change. */
export function foldLines(lines: readonly DiffLine[]): LineGroup[] {
  const isNear = new Array<boolean>(lines.length).fill(false)
  for (const [n, { kind }] of lines.entries())
    if (kind !== 'same')
      for (let at = Math.max(0, n - context); at <= Math.min(lines.length - 1, n + context); at += 1)
        isNear[at] = true
  const groups: LineGroup[] = []
  for (const [n, line] of lines.entries()) {
    const isFolded = isNear[n] !== true
    const last = groups.at(-1)
    if (last?.isFolded === isFolded) last.lines.push(line)
    else groups.push({ isFolded, lines: [line] })
  }
  // Folding one or two lines saves no space.
  return groups.map((group) => (group.lines.length <= 2 ? { ...group, isFolded: false } : group))
}

/** The path segments of `inputSchema.properties["a b"].anyOf[0]`. */
export const segmentsOf = (path: string): string[] =>
  [...path.matchAll(/\.?([\w$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, name, index, quoted]) => name ?? index ?? JSON.parse(quoted ?? '""'),
  )

/** A readable name such as `Parameter path: description`. */
export function nameOfPath(segments: readonly string[]): string {
  const [first, ...rest] = segments
  if (first === undefined) return 'Whole definition'
  if (first === 'inputSchema' || first === 'outputSchema') return nameInSchema(first, rest)
  if (first === 'annotations' && rest.length > 0) return `Annotation ${rest.join('.')}`
  const name = topNames[first] ?? first
  return [name, ...rest].join(' › ')
}

const topNames: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  annotations: 'Annotations',
  icons: 'Icons',
  execution: 'Execution',
}

function nameInSchema(schema: 'inputSchema' | 'outputSchema', path: readonly string[]): string {
  const part = schema === 'inputSchema' ? 'Parameter' : 'Result'
  let name = ''
  let at = 0
  for (; at < path.length; at += 1) {
    const keyword = path[at]
    const next = path[at + 1]
    if (keyword === 'properties' && next !== undefined) {
      name += name === '' ? next : `.${next}`
      at += 1
    } else if (keyword === 'items') name += '[]'
    else break
  }
  const rest = path.slice(at).join(' › ')
  if (name === '') {
    const whole = schema === 'inputSchema' ? 'Parameters' : 'Result'
    return rest === '' ? whole : `${whole}: ${rest}`
  }
  return rest === '' ? `${part} ${name}` : `${part} ${name}: ${rest}`
}

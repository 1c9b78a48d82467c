import type { ASTNode, Environment } from '@marcbachmann/cel-js'

/** A place in an expression, and what is wrong there. */
export interface Part {
  start: number
  message: string
}

const loops = ['all', 'exists', 'exists_one', 'filter']
const conversions = ['bool', 'double', 'duration', 'int', 'string', 'timestamp']
const clock = [
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getFullYear',
  'getHours',
  'getMilliseconds',
  'getMinutes',
  'getMonth',
  'getSeconds',
]
const texts = ['contains', 'endsWith', 'lowerAscii', 'matches', 'startsWith', 'trim', 'upperAscii']

/**
 * None of these makes a value larger than what it was given. `map`, `join`, `split` and `bind` do: nested a dozen
 * times they fill the memory. `dyn` and `type` would lead around the type check.
 */
const available = new Set(['has', 'size', ...loops, ...conversions, ...clock, ...texts])

const deepestLoops = 2

/** What the library accepts and we cannot: what would cost too much, or is sure to fail with every call. */
export function findUnsafePart(ast: ASTNode, environment: Environment): Part | null {
  return visit(ast, { environment, loops: 0, openEnded: 0 })
}

interface Surroundings {
  environment: Environment
  /** Loops around this place. */
  loops: number
  /** Those of them whose length the call decides, and not the expression. */
  openEnded: number
}

function visit(node: ASTNode, around: Surroundings): Part | null {
  const call = callOf(node)
  if (call === null) return visitAll(childrenOf(node), around)
  const { name, receiver, args } = call
  if (!available.has(name)) {
    return {
      start: node.start,
      message: `${name}() is not available here; there are ${[...available].sort().join(', ')}`,
    }
  }
  if (name === 'has') return findUnknownField(args, around.environment)
  if (receiver !== null && loops.includes(name)) return visitLoop(receiver, args, around)
  if (name === 'matches' && around.loops > 1) {
    return { start: node.start, message: 'matches() is too slow for a loop within a loop' }
  }
  if (clock.includes(name) && args.length > 0 && around.loops > 0) {
    return {
      start: node.start,
      message: `${name}() with a time zone is too slow for a loop; write it outside`,
    }
  }
  return findFailingLiteral(node, call, around.environment) ?? visitAll(childrenOf(node), around)
}

function visitAll(nodes: ASTNode[], around: Surroundings): Part | null {
  for (const node of nodes) {
    const found = visit(node, around)
    if (found !== null) return found
  }
  return null
}

/** The list stands outside of the loop that runs over it; only the condition is inside. */
function visitLoop(list: ASTNode, [, condition]: ASTNode[], around: Surroundings): Part | null {
  const inside = {
    ...around,
    loops: around.loops + 1,
    openEnded: around.openEnded + (list.op === 'list' ? 0 : 1),
  }
  const { start } = list
  if (inside.loops > deepestLoops) return { start, message: `loops are nested deeper than ${deepestLoops}` }
  if (inside.openEnded > 1) {
    return { start, message: 'of nested loops all but one must run over a list written out here' }
  }
  return visit(list, around) ?? (condition ? visit(condition, inside) : null)
}

/** `has()` takes any name for a field. One that no call can ever have is a slip of the pen. */
function findUnknownField([field]: ASTNode[], environment: Environment): Part | null {
  if (!field) return null
  const { error } = environment.check(textOf(field))
  return error ? { start: field.start, message: error.summary } : null
}

/** `timestamp("tomorrow")` and `now.getHours("Atlantis")` are of the right type and fail with every call. */
function findFailingLiteral(node: ASTNode, { name, args }: Call, environment: Environment): Part | null {
  const [first] = args
  if (first?.op !== 'value') return null
  if (conversions.includes(name) && fails(environment, textOf(node))) {
    return { start: node.start, message: `${textOf(node)} has no value` }
  }
  if (clock.includes(name) && fails(environment, `timestamp(0).${name}(${textOf(first)})`)) {
    return { start: first.start, message: `${textOf(first)} is not a time zone` }
  }
  return null
}

function fails(environment: Environment, text: string): boolean {
  try {
    environment.evaluate(text)
    return false
  } catch {
    return true
  }
}

interface Call {
  name: string
  receiver: ASTNode | null
  args: ASTNode[]
}

function callOf(node: ASTNode): Call | null {
  if (node.op === 'call') return { name: node.args[0], receiver: null, args: node.args[1] }
  if (node.op === 'rcall') return { name: node.args[0], receiver: node.args[1], args: node.args[2] }
  return null
}

export function childrenOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case '!_':
    case '-_':
      return [node.args]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    default:
      return node.args
  }
}

const textOf = (node: ASTNode): string => node.input.slice(node.start, node.end)

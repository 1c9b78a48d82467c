import type { ASTNode, Environment } from '@marcbachmann/cel-js'

/** What is wrong in an expression, and where. */
export interface ExpressionFault {
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
 * None of these returns a value that is larger than its arguments. `map`, `join`, `split` and `bind` do: nested a dozen
 * times they fill the memory. `dyn` and `type` would bypass the type check.
 */
const available = new Set(['has', 'size', ...loops, ...conversions, ...clock, ...texts])

const maxLoopDepth = 2

/** What the library accepts and we do not: what would take too long, or would fail with every call. */
export function findFault(ast: ASTNode, environment: Environment): ExpressionFault | null {
  return visit(ast, { environment, loops: 0, unboundedLoops: 0 })
}

interface Surroundings {
  environment: Environment
  /** Loops around this node. */
  loops: number
  /** Those of them that run over a list of the call, and not over one in the expression. */
  unboundedLoops: number
}

function visit(node: ASTNode, surroundings: Surroundings): ExpressionFault | null {
  const call = callOf(node)
  if (call === null) return visitAll(childrenOf(node), surroundings)
  const { name, receiver, args } = call
  if (!available.has(name)) {
    return {
      start: node.start,
      message: `${name}() is not available here; there are ${[...available].sort().join(', ')}`,
    }
  }
  if (name === 'has') return findUnknownField(args, surroundings.environment)
  if (receiver !== null && loops.includes(name)) return visitLoop(receiver, args, surroundings)
  if (name === 'matches' && surroundings.loops > 1) {
    return { start: node.start, message: 'matches() is too slow for a loop within a loop' }
  }
  if (clock.includes(name) && args.length > 0 && surroundings.loops > 0) {
    return {
      start: node.start,
      message: `${name}() with a time zone is too slow for a loop; write it outside`,
    }
  }
  return findFailingLiteral(node, call, surroundings.environment) ?? visitAll(childrenOf(node), surroundings)
}

function visitAll(nodes: ASTNode[], surroundings: Surroundings): ExpressionFault | null {
  for (const node of nodes) {
    const found = visit(node, surroundings)
    if (found !== null) return found
  }
  return null
}

/** The list is evaluated outside of the loop that runs over it; only the condition is inside. */
function visitLoop(
  list: ASTNode,
  [, condition]: ASTNode[],
  surroundings: Surroundings,
): ExpressionFault | null {
  const inside = {
    ...surroundings,
    loops: surroundings.loops + 1,
    unboundedLoops: surroundings.unboundedLoops + (list.op === 'list' ? 0 : 1),
  }
  const { start } = list
  if (inside.loops > maxLoopDepth) return { start, message: `loops are nested deeper than ${maxLoopDepth}` }
  if (inside.unboundedLoops > 1) {
    return { start, message: 'of nested loops all but one must run over a list written out here' }
  }
  return visit(list, surroundings) ?? (condition ? visit(condition, inside) : null)
}

/** The library lets `has()` name any field. One that no call can ever have is a mistake. */
function findUnknownField([field]: ASTNode[], environment: Environment): ExpressionFault | null {
  if (!field) return null
  const { error } = environment.check(textOf(field))
  return error ? { start: field.start, message: error.summary } : null
}

/** `timestamp("tomorrow")` and `now.getHours("Atlantis")` pass the type check and fail with every call. */
function findFailingLiteral(
  node: ASTNode,
  { name, args }: Call,
  environment: Environment,
): ExpressionFault | null {
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

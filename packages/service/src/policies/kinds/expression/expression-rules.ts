import type { ASTNode, Environment } from '@marcbachmann/cel-js'

/** An error in an expression, with its position. */
export interface ExpressionError {
  start: number
  message: string
}

const loopMacros = ['all', 'exists', 'exists_one', 'filter']
const conversions = ['bool', 'double', 'duration', 'int', 'string', 'timestamp']
const clockFunctions = [
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
const textFunctions = ['contains', 'endsWith', 'lowerAscii', 'matches', 'startsWith', 'trim', 'upperAscii']

/**
 * None of these returns a value that is larger than its arguments. `map`, `join`, `split` and `bind` do: nested a dozen
 * times they fill the memory. `dyn` and `type` would bypass the type check.
 */
const availableFunctions = new Set([
  'has',
  'size',
  ...loopMacros,
  ...conversions,
  ...clockFunctions,
  ...textFunctions,
])

const maxLoopDepth = 2

/** Finds what the library accepts and we do not: expressions that are too slow or fail with every call. */
export function findError(ast: ASTNode, environment: Environment): ExpressionError | null {
  return visit(ast, { environment, loops: 0, unboundedLoops: 0 })
}

interface VisitContext {
  environment: Environment
  /** Loops around this node. */
  loops: number
  /** Loops over a list of the call, rather than over one written in the expression. */
  unboundedLoops: number
}

function visit(node: ASTNode, context: VisitContext): ExpressionError | null {
  const call = callOf(node)
  if (call === null) return visitAll(childrenOf(node), context)
  const { name, receiver, args } = call
  if (!availableFunctions.has(name)) {
    return {
      start: node.start,
      message: `${name}() is not available here; there are ${[...availableFunctions].sort().join(', ')}`,
    }
  }
  if (name === 'has') return findUnknownField(args, context.environment)
  if (receiver !== null && loopMacros.includes(name)) return visitLoop(receiver, args, context)
  if (name === 'matches' && context.loops > 1) {
    return { start: node.start, message: 'matches() is too slow for a loop within a loop' }
  }
  if (clockFunctions.includes(name) && args.length > 0 && context.loops > 0) {
    return {
      start: node.start,
      message: `${name}() with a time zone is too slow for a loop; write it outside`,
    }
  }
  return findFailingLiteral(node, call, context.environment) ?? visitAll(childrenOf(node), context)
}

function visitAll(nodes: ASTNode[], context: VisitContext): ExpressionError | null {
  for (const node of nodes) {
    const found = visit(node, context)
    if (found !== null) return found
  }
  return null
}

/** The list is evaluated outside of the loop that runs over it; only the condition is inside. */
function visitLoop(list: ASTNode, [, condition]: ASTNode[], context: VisitContext): ExpressionError | null {
  const inside = {
    ...context,
    loops: context.loops + 1,
    unboundedLoops: context.unboundedLoops + (list.op === 'list' ? 0 : 1),
  }
  const { start } = list
  if (inside.loops > maxLoopDepth) return { start, message: `loops are nested deeper than ${maxLoopDepth}` }
  if (inside.unboundedLoops > 1) {
    return { start, message: 'of nested loops all but one must run over a list written out here' }
  }
  return visit(list, context) ?? (condition ? visit(condition, inside) : null)
}

/** Finds a field in `has()` that no call can have. The library accepts any field there. */
function findUnknownField([field]: ASTNode[], environment: Environment): ExpressionError | null {
  if (!field) return null
  const { error } = environment.check(textOf(field))
  return error ? { start: field.start, message: error.summary } : null
}

/** `timestamp("tomorrow")` and `now.getHours("Atlantis")` pass the type check and fail with every call. */
function findFailingLiteral(
  node: ASTNode,
  { name, args }: Call,
  environment: Environment,
): ExpressionError | null {
  const [first] = args
  if (first?.op !== 'value') return null
  if (conversions.includes(name) && fails(environment, textOf(node))) {
    return { start: node.start, message: `${textOf(node)} has no value` }
  }
  if (clockFunctions.includes(name) && fails(environment, `timestamp(0).${name}(${textOf(first)})`)) {
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

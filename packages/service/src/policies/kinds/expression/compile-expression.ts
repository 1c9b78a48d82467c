import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { compilePattern } from '../finders/compile-pattern.js'
import { childrenOf, type ExpressionError, findError } from './expression-rules.js'
import { type ExpressionVariables, toCelContext, variableTypes } from './expression-variables.js'

/**
 * Far above any real policy. Together with the rules for loops, they bound the time of one evaluation. The worst that was
 * found, with the maximum of tools, took 0.7 s; a usual one takes 2 µs.
 */
const limits = {
  maxAstNodes: 256,
  maxDepth: 24,
  maxListElements: 100,
  maxMapEntries: 20,
  maxCallArguments: 4,
}

/** Twice as many as any provider takes, and names as long as they take. With more, the evaluation throws. */
const maxTools = 256
const maxToolNameLength = 128

/** The steps of all patterns in an expression together: each may be tried on every tool. */
const maxSteps = 128

/** The name of our own `matches`, which expressions cannot use. */
const linearMatches = 'matchesInLinearTime'

interface Matchers {
  /** Compiled patterns by source. */
  patterns: Map<string, { test(text: string): boolean }>
  /** The steps of all uses together. */
  steps: number
}

export type CompiledExpression = { violates(variables: ExpressionVariables): boolean } | { error: string }

/**
 * Compiles a tenant's expression, or returns an error with its position. `violates` throws if the expression cannot be
 * evaluated for a call, for example if it reads a metadata entry that the key does not have.
 */
export function compileExpression(cel: string): CompiledExpression {
  const matchers: Matchers = { patterns: new Map(), steps: 0 }
  const environment = createEnvironment(matchers)

  const { valid, type, error: checkError } = environment.check(cel)
  if (!valid)
    return { error: describeError(cel, checkError?.range?.start, checkError?.summary ?? 'is not valid') }
  if (type !== 'bool') return { error: `must be true or false, but is of type ${type}` }

  const parsed = environment.parse(cel)
  const error = findError(parsed.ast, environment) ?? replaceMatches(parsed.ast, matchers)
  if (error !== null) return { error: describeError(cel, error.start, error.message) }

  // Resolves the renamed calls to our function; the evaluator uses what is resolved here.
  if (!parsed.check().valid) return { error: 'is not valid' }

  return {
    violates(variables) {
      refuseTooManyTools(variables.request.tools)
      return parsed(toCelContext(variables)) === true
    },
  }
}

function createEnvironment(matchers: Matchers): Environment {
  function matches(text: string, pattern: string): boolean {
    const matcher = matchers.patterns.get(pattern)
    if (matcher === undefined) throw new Error(`the pattern ${pattern} was never compiled`)
    return matcher.test(text)
  }
  const environment = new Environment({ limits })
  for (const [name, schema] of Object.entries(variableTypes)) environment.registerVariable({ name, schema })
  return environment
    .registerVariable({ name: 'now', type: 'google.protobuf.Timestamp' })
    .registerFunction(`string.${linearMatches}(string): bool`, matches, { async: false })
}

/**
 * The library's `matches` uses JavaScript's backtracking engine, which `(a+)+$` stalls, and it cannot be registered again.
 * Calls are resolved to functions when the tree is first checked, so each call of `matches` is renamed before that.
 */
function replaceMatches(node: ASTNode, matchers: Matchers): ExpressionError | null {
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const regex = node.args[2][0]
    if (regex?.op !== 'value' || typeof regex.args !== 'string') {
      return { start: node.start, message: 'matches() needs its pattern written out as a text' }
    }
    const compiled = compilePattern(regex.args)
    if ('error' in compiled) return { start: regex.start, message: `the pattern ${compiled.error}` }
    matchers.patterns.set(regex.args, compiled.pattern)
    matchers.steps += compiled.steps
    if (matchers.steps > maxSteps) {
      return {
        start: regex.start,
        message: `the patterns come to more than ${maxSteps} steps; use simpler ones`,
      }
    }
    node.args[0] = linearMatches
  }
  for (const child of childrenOf(node)) {
    const error = replaceMatches(child, matchers)
    if (error !== null) return error
  }
  return null
}

function refuseTooManyTools(names: readonly string[]): void {
  if (names.length > maxTools) throw new Error(`the request offers more than ${maxTools} tools`)
  const overlong = names.some((name) => name.length > maxToolNameLength)
  if (overlong) throw new Error('the request offers a tool with an overlong name')
}

function describeError(cel: string, start: number | undefined, message: string): string {
  if (start === undefined) return message
  const lines = cel.slice(0, start).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${message}`
}

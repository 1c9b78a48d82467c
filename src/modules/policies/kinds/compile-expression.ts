import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { compilePattern } from './compile-pattern.js'
import { type ExpressionFacts, factTypes, toCelContext } from './expression-facts.js'
import { childrenOf, findUnsafePart, type Part } from './expression-rules.js'

/**
 * Far above any real policy. With the rules for loops they bound what one evaluation can take; the worst that was
 * found, on the most tools, took 0.7 s; a usual one takes 2 µs.
 */
const limits = {
  maxAstNodes: 256,
  maxDepth: 24,
  maxListElements: 100,
  maxMapEntries: 20,
  maxCallArguments: 4,
}

/** The most that a provider takes, twice over for the count. What is beyond is not judged: the evaluation throws. */
const mostTools = 256
const longestToolName = 128

/** Of all patterns in an expression together: each may be tried on every tool. */
const mostSteps = 128

/** Our own `matches`, which no expression can name itself. */
const linearMatches = 'matchesInLinearTime'

interface Matchers {
  /** By their text. */
  patterns: Map<string, { test(text: string): boolean }>
  /** Of all places where one is used. */
  steps: number
}

export type CompiledExpression = { violates(facts: ExpressionFacts): boolean } | { fault: string }

/**
 * Compiles a tenant's expression, or says what is wrong with it and where. `violates` throws where the facts do not
 * bear the expression out, as when it reads a metadata entry that the key has not.
 */
export function compileExpression(cel: string): CompiledExpression {
  const matchers: Matchers = { patterns: new Map(), steps: 0 }
  const environment = createEnvironment(matchers)

  const { valid, type, error } = environment.check(cel)
  if (!valid) return { fault: describePlace(cel, error?.range?.start, error?.summary ?? 'is not valid') }
  if (type !== 'bool') return { fault: `must be true or false, but is of type ${type}` }

  const parsed = environment.parse(cel)
  const unsafe = findUnsafePart(parsed.ast, environment)
  if (unsafe !== null) return { fault: describePlace(cel, unsafe.start, unsafe.message) }

  const faulty = replaceMatches(parsed.ast, matchers)
  if (faulty !== null) return { fault: describePlace(cel, faulty.start, faulty.message) }

  // Now the renamed calls find their function; the evaluator works from what this finds.
  if (!parsed.check().valid) return { fault: 'is not valid' }

  return {
    violates(facts) {
      refuseTooManyTools(facts.request.tools)
      return parsed(toCelContext(facts)) === true
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
  for (const [name, schema] of Object.entries(factTypes)) environment.registerVariable({ name, schema })
  return environment
    .registerVariable({ name: 'now', type: 'google.protobuf.Timestamp' })
    .registerFunction(`string.${linearMatches}(string): bool`, matches, { async: false })
}

/**
 * The library's `matches` runs JavaScript's backtracking engine, which `(a+)+$` stalls, and it cannot be registered
 * again. Which function a call means is looked up when the tree is first checked, so each call is renamed before that.
 */
function replaceMatches(node: ASTNode, matchers: Matchers): Part | null {
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const regex = node.args[2][0]
    if (regex?.op !== 'value' || typeof regex.args !== 'string') {
      return { start: node.start, message: 'matches() needs its pattern written out as a text' }
    }
    const compiled = compilePattern(regex.args)
    if ('fault' in compiled) return { start: regex.start, message: `the pattern ${compiled.fault}` }
    matchers.patterns.set(regex.args, compiled.pattern)
    matchers.steps += compiled.steps
    if (matchers.steps > mostSteps) {
      return {
        start: regex.start,
        message: `the patterns come to more than ${mostSteps} steps; use simpler ones`,
      }
    }
    node.args[0] = linearMatches
  }
  for (const child of childrenOf(node)) {
    const faulty = replaceMatches(child, matchers)
    if (faulty !== null) return faulty
  }
  return null
}

function refuseTooManyTools(names: readonly string[]): void {
  if (names.length > mostTools) throw new Error(`the request offers more than ${mostTools} tools`)
  const overlong = names.some((name) => name.length > longestToolName)
  if (overlong) throw new Error('the request offers a tool with an overlong name')
}

function describePlace(cel: string, start: number | undefined, message: string): string {
  if (start === undefined) return message
  const lines = cel.slice(0, start).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${message}`
}

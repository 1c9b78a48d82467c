import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { isLogField } from '../../packages/service/src/observability/log/log-table.js'

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
const src = new URL('../../packages/service/src', import.meta.url).pathname

// To read all of the sources as a tree takes as long as everything else here.
const mayLog = /\b(log|general|plain)(\.\w+|\[\w+\])\(\s*\{/

interface LogCall {
  place: string
  fields: string[]
}

/** Every call of a log with fields, in all of the sources. */
function findLogCalls(): LogCall[] {
  const calls: LogCall[] = []
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts'))) {
    const text = readFileSync(join(src, file), 'utf8')
    if (!mayLog.test(text)) continue
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isLog(node.expression)) {
        const [first] = node.arguments
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        if (first && ts.isObjectLiteralExpression(first))
          calls.push({
            place: `${file}:${line + 1}`,
            fields: first.properties.map((each) => each.name?.getText() ?? each.getText()),
          })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return calls
}

function isLog(callee: ts.Expression): boolean {
  if (ts.isElementAccessExpression(callee)) return callee.expression.getText() === 'plain'
  if (!ts.isPropertyAccessExpression(callee) || !levels.has(callee.name.text)) return false
  return /(^|\.)(log|general|plain)$/.test(callee.expression.getText())
}

test('every log call of the sources has only fields of the table: nothing that it says is lost', () => {
  const calls = findLogCalls()
  expect(calls.length).toBeGreaterThan(10)
  const unknown = calls.flatMap(({ place, fields }) =>
    fields.filter((field) => !isLogField(field)).map((field) => `${place}: ${field}`),
  )
  expect(unknown).toEqual([])
})

import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { compileExpression } from './expression/compile-expression.js'
import { describeVariables } from './expression/expression-variables.js'
import { blockOrFlag, defineKind, inputOnly } from './kind.js'

export const expression = defineKind({
  summary: 'Matches calls for which a CEL expression is true',
  phases: inputOnly,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      cel: Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: `A CEL expression. The policy matches calls for which it is true. It can use these variables:\n\n${describeVariables()}`,
        examples: [
          'request.stream && key.role != "manager"',
          'request.tools.exists(t, t.startsWith("shell"))',
        ],
      }),
    },
    { ...strict, title: 'ExpressionConfig' },
  ),
  check({ cel }) {
    const compiled = compileExpression(cel)
    return 'error' in compiled ? [{ path: 'config.cel', message: compiled.error }] : []
  },
  compile({ cel }) {
    const compiled = compileExpression(cel)
    if ('error' in compiled) throw new Error(`an expression ${compiled.error}`)
    return { subject: 'call', violates: compiled.violates }
  },
})

import { Type } from 'typebox'
import { canHaveSecrets, findSecrets, reach } from '../detect/index.js'
import { createDetectorFinder } from './detector-finder.js'
import { anyAction, anyPhase, defineKind, strict } from './kind.js'
import { findRestoreFault, Restore } from './restore.js'

const finder = createDetectorFinder(findSecrets, { mayFind: canHaveSecrets, reach, stride: 16_384 })

export const secrets = defineKind({
  summary: 'Text that has provider or cloud keys, private keys or tokens in it',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object({ restore: Restore }, { ...strict, title: 'SecretsConfig' }),
  check: findRestoreFault,
  compile: ({ restore = false }) => ({ looksAt: 'text', finders: [finder], restore }),
})

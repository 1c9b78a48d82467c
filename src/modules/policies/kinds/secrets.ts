import { Type } from 'typebox'
import { findSecrets, reach } from '../detect/index.js'
import { createDetectorFinder, rememberLast } from './detector-finder.js'
import { anyAction, anyPhase, defineKind, strict } from './kind.js'
import { findRestoreFault, Restore } from './restore.js'

const find = rememberLast(findSecrets)

export const secrets = defineKind({
  summary: 'Text that has provider or cloud keys, private keys or tokens in it',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object({ restore: Restore }, { ...strict, title: 'SecretsConfig' }),
  check: findRestoreFault,
  compile: ({ restore = false }) => ({
    looksAt: 'text',
    finders: [createDetectorFinder(find, { reach, stride: 8_192 })],
    restore,
  }),
})

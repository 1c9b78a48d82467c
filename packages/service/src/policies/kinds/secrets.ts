import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { findSecrets, mayHaveSecrets, secretsReach } from '../detect/index.js'
import { createDetectorFinder } from './finders/detector-finder.js'
import { anyAction, anyPhase, defineKind } from './kind.js'
import { findRestoreError, Restore } from './restore.js'

const finder = createDetectorFinder(findSecrets, { mayFind: mayHaveSecrets, reach: secretsReach })

export const secrets = defineKind({
  summary: 'Finds text that contains provider or cloud keys, private keys or tokens',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object({ restore: Restore }, { ...strict, title: 'SecretsConfig' }),
  check: findRestoreError,
  compile: ({ restore = false }) => ({ subject: 'text', finders: [finder], restore }),
})

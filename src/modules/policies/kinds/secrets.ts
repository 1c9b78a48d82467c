import { Type } from 'typebox'
import { anyAction, anyPhase, defineKind, strict } from './kind.js'

export const secrets = defineKind({
  summary: 'Text that has provider or cloud keys, private keys or tokens in it',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object({}, { ...strict, title: 'SecretsConfig', description: 'Nothing to set' }),
})

import type { Config } from '../../../config/index.js'
import { shellSample } from '../../../http/index.js'
import { vendors } from '../../../providers/index.js'
import type { Service } from '../../index.js'
import { announce } from './announce.js'

type Started = Pick<Service, 'address' | 'firstKey'>

/** Prints where the service listens. The first start includes the key and an example call. */
export function announceStart(started: Started, config: Config): void {
  const messages = [
    describeAddress(started),
    describeStrictness(config),
    ...describeFirstKey(started, config),
  ]
  announce(config.logFormat, describeStart(started, config).join('\n'), messages)
}

const describeAddress = ({ address }: Started) => `Tallystick listens on ${address}  (docs: ${address}/docs/)`

function describeFirstKey(started: Started, config: Config): string[] {
  const { firstKey } = started
  if (firstKey === null) return []
  const key =
    config.bootstrapKey === null ? `First manager key, shown only once: ${firstKey}` : bootstrapKeyIsFirst
  const example = describeExample(started, config)
  return [key, example === null ? noModel : `${tryCall} ${example}`]
}

/** Returns shell commands that make a call; null when there is no model to call. */
function describeExample({ address, firstKey }: Started, config: Config): string | null {
  const model = modelToTry(config)
  if (model === null) return null
  const body = { model, messages: [{ role: 'user', content: 'Hello, tally!' }] }
  const key = config.bootstrapKey === null ? firstKey : '"$TALLYSTICK_BOOTSTRAP_KEY"'
  const call = shellSample({ method: 'POST', path: '/v1/chat/completions', needsKey: true, body })
  return `export TALLYSTICK_URL=${address} TALLYSTICK_KEY=${key}\n${call}`
}

const bootstrapKeyIsFirst = 'The first manager key is the value of TALLYSTICK_BOOTSTRAP_KEY.'
const tryCall = 'Try a governed call:'
const noModel = 'No provider is configured yet, so there is no model to call.'

function describeStart(started: Started, config: Config): string[] {
  const { firstKey } = started
  const lines = [describeAddress(started), describeStrictness(config)]
  if (firstKey === null) return lines
  const { bootstrapKey } = config
  const key =
    bootstrapKey === null ? `First manager key, shown only once:\n\n  ${firstKey}` : bootstrapKeyIsFirst
  lines.push('', key, '')
  const example = describeExample(started, config)
  return example === null ? [...lines, noModel, ''] : [...lines, tryCall, '', example, '']
}

function describeStrictness({ strictness: { strict, because }, allowedRanges }: Config): string {
  if (!strict)
    return `Local trial, because ${because}: webhooks and guardrails may reach any address, and there is a mock provider`
  const ranges = allowedRanges.length > 0 ? `, or ${allowedRanges.join(', ')}` : ''
  return `Strict, because ${because}: webhooks and guardrails reach public addresses by HTTPS${ranges}, and there is no mock provider`
}

function modelToTry({ strictness, models, providers }: Config): string | null {
  if (!strictness.strict) return 'mock/echo'
  const [named] = Object.keys(models)
  if (named !== undefined) return named
  for (const { name, type } of providers) {
    const model = vendors.get(type)?.smallModel
    if (model) return `${name}/${model}`
  }
  return null
}

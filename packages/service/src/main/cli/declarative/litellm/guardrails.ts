import { isObject, type Json, objectsOf, stringOf } from '../json.js'
import type { Conversion } from './conversion.js'

/** Entities of Presidio that the policy `pii` finds. */
const entities: Readonly<Record<string, string>> = {
  EMAIL_ADDRESS: 'email',
  PHONE_NUMBER: 'phone',
  CREDIT_CARD: 'credit_card',
  IBAN_CODE: 'iban',
  US_SSN: 'us_ssn',
  IP_ADDRESS: 'ip_address',
}

/** Guardrails become policies of the tenant. */
export function convertGuardrails(config: Json, { add, report }: Conversion): void {
  for (const [index, guardrail] of objectsOf(config.guardrails).entries()) {
    const path = `guardrails[${index}]`
    const name = stringOf(guardrail.guardrail_name) || `guardrail ${index + 1}`
    const params = isObject(guardrail.litellm_params) ? guardrail.litellm_params : {}
    const phase = phaseOf(params.mode)
    const common = { phase, enabled: params.default_on === true }
    if (params.default_on !== true)
      report(
        path,
        `"${name}" applied on request only; its policy is disabled, and applies to every call once you enable it`,
      )
    switch (params.guardrail) {
      case 'presidio': {
        addPii(name, params.pii_entities_config, common, path)
        break
      }
      case 'hide-secrets':
        add('Policy', name, { kind: 'secrets', action: 'redact', ...common })
        break
      case 'litellm_content_filter': {
        const words = objectsOf(params.blocked_words).map(({ keyword }) => stringOf(keyword))
        if (words.length > 0)
          add('Policy', name, { kind: 'keywords', config: { words }, action: 'block', ...common })
        if (params.patterns !== undefined || words.length === 0)
          report(path, 'only blocked_words are converted; use policies of kind pattern for the rest')
        break
      }
      default:
        report(
          path,
          `there is no equivalent of "${String(params.guardrail)}"; a policy of kind http can call your own service`,
        )
    }
  }

  function addPii(name: string, config: unknown, common: Json, path: string): void {
    const wanted = Object.entries(
      isObject(config)
        ? config
        : {
            EMAIL_ADDRESS: 'MASK',
            PHONE_NUMBER: 'MASK',
            CREDIT_CARD: 'MASK',
            IBAN_CODE: 'MASK',
            US_SSN: 'MASK',
            IP_ADDRESS: 'MASK',
          },
    )
    for (const [entity] of wanted)
      if (entities[entity] === undefined)
        report(`${path}.pii_entities_config.${entity}`, 'is not detected by the policy pii')
    for (const [mode, action] of [
      ['MASK', 'redact'],
      ['BLOCK', 'block'],
    ] as const) {
      const found = wanted.flatMap(([entity, how]) => (how === mode ? (entities[entity] ?? []) : []))
      const both = wanted.some(([, how]) => how === 'MASK') && wanted.some(([, how]) => how === 'BLOCK')
      if (found.length > 0)
        add('Policy', both ? `${name}, ${action}` : name, {
          kind: 'pii',
          config: { entities: found },
          action,
          ...common,
        })
    }
  }
}

function phaseOf(mode: unknown): string {
  const modes = [mode].flat().map(String)
  const isInput = modes.some((each) => each !== 'post_call')
  const isOutput = modes.includes('post_call')
  return isInput && isOutput ? 'both' : isOutput ? 'output' : 'input'
}

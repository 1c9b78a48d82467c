import type { TLocalizedValidationError as Fault } from 'typebox/error'

/** Describes the faults of the file, each with its path. Values are never included, because they may be secrets. */
export function describeFileFaults(faults: Fault[], entry = ''): string[] {
  return [
    ...new Set(faults.filter((fault) => isUseful(fault, faults)).flatMap((fault) => describe(fault, entry))),
  ]
}

/** Returns whether a fault helps the operator. A union reports the faults of all its branches, of which the most specific ones are kept. */
function isUseful(fault: Fault, all: Fault[]): boolean {
  // For an unknown field, this fault only says that no value is allowed. The fault of the object names the field.
  if (fault.keyword === 'boolean') return false
  const atSamePath = all.filter((other) => other.instancePath === fault.instancePath)
  if (!atSamePath.some((other) => other.keyword === 'anyOf') || isWithinObject(fault)) return true
  const hasSpecificFault =
    atSamePath.some(isWithinObject) ||
    all.some((other) => other.instancePath.startsWith(`${fault.instancePath}/`))
  return fault.keyword === 'anyOf' && !hasSpecificFault
}

const isWithinObject = ({ keyword }: Fault) => keyword === 'required' || keyword === 'additionalProperties'

function describe(fault: Fault, entry: string): string[] {
  const steps = fault.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const path = [entry, ...steps].filter(Boolean).join('.')
  const within = (name: string) => (path ? `${path}.${name}` : name)
  switch (fault.keyword) {
    case 'additionalProperties':
      return fault.params.additionalProperties.map(
        (name) => `${within(name)}: ${unknownNames[path] ?? 'unknown field'}`,
      )
    case 'required':
      return fault.params.requiredProperties.map((name) => `${within(name)}: is required`)
    case 'enum':
      return [`${path}: must be one of ${fault.params.allowedValues.join(', ')}`]
    case 'anyOf':
      return [`${path}: must be "free", or an object with inputUsdPerMTok and outputUsdPerMTok`]
    default:
      return [`${path || 'the file'}: ${fault.message}`]
  }
}

const unknownNames: Record<string, string> = {
  providers: 'a provider is named with a-z, 0-9, hyphen and underscore, starting with a letter or digit',
  models: 'a model is named with 1 to 200 characters, none of them blank',
}

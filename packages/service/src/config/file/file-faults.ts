import type { TLocalizedValidationError as Fault } from 'typebox/error'

/** What is wrong with the file, by place, in words. Values are never repeated: they may hold secrets. */
export function describeFileFaults(faults: Fault[], entry = ''): string[] {
  return [
    ...new Set(
      faults.filter((fault) => tellsSomething(fault, faults)).flatMap((fault) => describe(fault, entry)),
    ),
  ]
}

/** A union reports all of its branches: a fault within the value helps, or else the list of what would do. */
function tellsSomething(fault: Fault, all: Fault[]): boolean {
  // Says of an unknown field that nothing is allowed there; the object around it names the field.
  if (fault.keyword === 'boolean') return false
  const atSamePlace = all.filter((other) => other.instancePath === fault.instancePath)
  if (!atSamePlace.some((other) => other.keyword === 'anyOf') || isWithinObject(fault)) return true
  const isSaidBetter =
    atSamePlace.some(isWithinObject) ||
    all.some((other) => other.instancePath.startsWith(`${fault.instancePath}/`))
  return fault.keyword === 'anyOf' && !isSaidBetter
}

const isWithinObject = ({ keyword }: Fault) => keyword === 'required' || keyword === 'additionalProperties'

function describe(fault: Fault, entry: string): string[] {
  const steps = fault.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const place = [entry, ...steps].filter(Boolean).join('.')
  const within = (name: string) => (place ? `${place}.${name}` : name)
  switch (fault.keyword) {
    case 'additionalProperties':
      return fault.params.additionalProperties.map(
        (name) => `${within(name)}: ${unknownNames[place] ?? 'unknown field'}`,
      )
    case 'required':
      return fault.params.requiredProperties.map((name) => `${within(name)}: is required`)
    case 'enum':
      return [`${place}: must be one of ${fault.params.allowedValues.join(', ')}`]
    case 'anyOf':
      return [`${place}: must be "free", or an object with inputUsdPerMTok and outputUsdPerMTok`]
    default:
      return [`${place || 'the file'}: ${fault.message}`]
  }
}

const unknownNames: Record<string, string> = {
  providers: 'a provider is named with a-z, 0-9, hyphen and underscore, starting with a letter or digit',
  models: 'a model is named with 1 to 200 characters, none of them blank',
}

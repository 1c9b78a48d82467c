import { type EndpointShape, isCredentialParameter, isEnforcedMember } from '../../providers/index.js'
import { invalidField, invalidRequest } from '../../shared/errors.js'

// URLs are written to logs along the way, and servers parse them differently. So only plain names and values such as `beta=true` are
// accepted. They are forwarded unchanged and judged like headers.

const maxLength = 2_048
// The semicolon is missing, because some servers read it as an ampersand.
const urlCharacters = /^(?:[\w\-.~!'()*+,:@/?=&[\]]|%[0-9A-Fa-f]{2})*$/
const plainName = /^[A-Za-z][\w.-]{0,63}(?:\[\])?$/

/** Returns the query to forward, without the question mark. Throws when it contains something that must not be forwarded. */
export function readQuery(url: string, shape: EndpointShape): string {
  const mark = url.indexOf('?')
  const query = mark === -1 ? '' : url.slice(mark + 1)
  if (query === '') return query
  if (query.length > maxLength) throw invalidRequest(`The query is longer than ${maxLength} characters`)
  if (!urlCharacters.test(query)) throw invalidRequest('The query is not a valid part of a URL')
  for (const [name, value] of new URLSearchParams(query)) {
    const fault = faultIn(name, value, shape)
    if (fault !== null) throw invalidField(plainName.test(name) ? name : 'query', fault)
  }
  return query
}

function faultIn(name: string, value: string, shape: EndpointShape): string | null {
  if (value.includes('tallystick_sk_')) return 'contains a virtual key: send it as a header'
  if (isEnforcedMember(name, shape)) return 'belongs into the body, not into the query'
  if (isCredentialParameter(name)) return 'is not forwarded in a URL: send keys as headers'
  if (!plainName.test(name)) return 'has a parameter whose name has characters that are not forwarded'
  return null
}

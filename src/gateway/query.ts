import { invalidField, invalidRequest } from '../errors.js'
import { isGovernedMember, namesProof } from '../providers/index.js'

// What stands in a URL is written to logs along the way, and servers read it in ways of their own. So little of it passes: plain
// names and values, such as `beta=true`, which go to the provider as they are and are judged like headers.

const maxLength = 2_048
// Without the semicolon, which some servers read as another ampersand.
const urlCharacters = /^(?:[\w\-.~!'()*+,:@/?=&[\]]|%[0-9A-Fa-f]{2})*$/
const plainName = /^[A-Za-z][\w.-]{0,63}(?:\[\])?$/

/** The query of a call as it goes on, without the question mark. Refuses what must not stand there. */
export function readQuery(url: string, dialect: string): string {
  const mark = url.indexOf('?')
  const query = mark === -1 ? '' : url.slice(mark + 1)
  if (query === '') return query
  if (query.length > maxLength) throw invalidRequest(`The query is longer than ${maxLength} characters`)
  if (!urlCharacters.test(query)) throw invalidRequest('The query is not a valid part of a URL')
  for (const [name, value] of new URLSearchParams(query)) {
    const fault = faultIn(name, value, dialect)
    if (fault !== null) throw invalidField(plainName.test(name) ? name : 'query', fault)
  }
  return query
}

function faultIn(name: string, value: string, dialect: string): string | null {
  if (value.includes('tallystick_sk_')) return 'has a virtual key in it: send that as a header'
  if (isGovernedMember(name, dialect)) return 'belongs into the body, not into the query'
  if (namesProof(name)) return 'is not passed on in a URL: send keys as headers'
  if (!plainName.test(name)) return 'has a parameter whose name is no plain word, which is not passed on'
  return null
}

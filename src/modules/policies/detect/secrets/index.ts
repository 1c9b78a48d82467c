import { type Finding, present, settle } from '../finding.js'
import { type FoldedText, fold } from '../fold.js'
import type { Sketch } from '../sketch.js'
import { findAssignments } from './assignments.js'
import { findAuthorizations } from './authorizations.js'
import { findJwts } from './jwt.js'
import { findTokenPlaces } from './places.js'
import { findPrivateKeys } from './private-key.js'
import { findTokens } from './tokens.js'
import { findUrlPasswords } from './url-passwords.js'

/**
 * Whether a text that looks like this can have any in it, where folding changes nothing in the text. Web tokens are runs too: the
 * least that names an algorithm has 14 characters, and some more follow behind a dot.
 */
export const canHaveSecrets = ({ run, opening, assignment, url, at }: Sketch): boolean =>
  run || opening || assignment || (url && at)

/** Keys, tokens and passwords in a text, in order, without overlaps. */
export function findSecrets(text: string, folded: FoldedText = fold(text)): Finding[] {
  const places = findTokenPlaces(folded.text)
  const settled = settle([
    findPrivateKeys(folded),
    findJwts(folded),
    findTokens(folded.text, places),
    findUrlPasswords(folded.text),
    findAuthorizations(folded.text, places),
    findAssignments(folded.text),
  ])
  return present(text, folded, settled, () => 'SECRET')
}

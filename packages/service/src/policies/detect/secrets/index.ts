import { type Finding, findSeparated, resolveOverlaps, toFindings } from '../finding.js'
import { type FoldedText, fold } from '../fold.js'
import type { TextFeatures } from '../prefilter.js'
import { findAssignments } from './assignments.js'
import { findAuthorizations } from './authorizations.js'
import { findJwts } from './jwt.js'
import { findPrivateKeys } from './private-key.js'
import { findTokenRegions } from './token-regions.js'
import { findTokens } from './tokens.js'
import { findUrlPasswords } from './url-passwords.js'

/**
 * No secret is longer than this, and none depends on text that is further away from its start on either side.
 *
 * Private keys and JSON web tokens have up to 8,192 characters. All other secrets have up to 600, and whether one is kept depends on
 * stronger candidates next to it: 1,700 characters in total, three times that with invisible characters in between.
 */
export const secretsReach = 13_312

/**
 * True when a text with these features, in which folding changes nothing, can contain secrets. JSON web tokens are token runs too:
 * the shortest header that names an algorithm has 14 characters, and more follow after a dot.
 */
export const mayHaveSecrets = (features: TextFeatures): boolean =>
  features.hasTokenRun ||
  features.hasPemStart ||
  features.hasAssignment ||
  (features.hasUrl && features.hasAt)

/** Finds keys, tokens and passwords in a text, in order and without overlaps. */
export const findSecrets = (text: string, folded: FoldedText = fold(text)): Finding[] =>
  findSeparated(text, folded, findIn)

function findIn(folded: FoldedText): Finding[] {
  const regions = findTokenRegions(folded.text)
  const secrets = resolveOverlaps([
    findPrivateKeys(folded),
    findJwts(folded),
    findTokens(folded.text, regions),
    findUrlPasswords(folded.text),
    findAuthorizations(folded.text, regions),
    findAssignments(folded.text),
  ])
  return toFindings(folded, secrets, () => 'SECRET')
}

/** How a user of the verifier gives it what it lacks, as part of a sentence: `with --key`. */
export interface Hints {
  key: string
  checkpoint: string
}

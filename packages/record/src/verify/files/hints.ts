/** How a user can pass missing inputs to the verifier, as part of a sentence such as `with --key`. */
export interface Hints {
  key: string
  checkpoint: string
}

/** Where to go after signing in: a place of this console. */
export interface SignInSearch {
  next?: string
}

export const readSignInSearch = ({ next }: Record<string, unknown>): SignInSearch =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}

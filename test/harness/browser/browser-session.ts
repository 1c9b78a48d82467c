import { type Api, type ApiAnswer, createApi } from '../service/api.js'

/** A person who signed in: calls as a page of the service makes them, with the cookie that it was given. */
export interface BrowserSession extends Api {
  cookie: string
  /** As it came: `tallystick_session=…; Max-Age=…`. */
  setCookie: string
  signIn: ApiAnswer
}

/** Signs in with a key, as the sign-in page does. */
export async function signInWith(address: string, key: string): Promise<BrowserSession> {
  const signIn = await createApi(address, null).post('/v1/session', { key }, { origin: address })
  if (signIn.status !== 201) throw new Error(`no sign-in: ${signIn.status} ${JSON.stringify(signIn.body)}`)
  const setCookie = signIn.headers.get('set-cookie') ?? ''
  const cookie = setCookie.split(';')[0] ?? ''
  return { ...asPage(address, cookie), cookie, setCookie, signIn }
}

/** Requests of a page at this address, with cookies. */
export function asPage(address: string, cookie: string, origin: string | null = address): Api {
  return createApi(address, null, { cookie, ...(origin !== null && { origin }) })
}

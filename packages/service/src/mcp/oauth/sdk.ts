export type OAuthSdk = typeof import('@modelcontextprotocol/client')

let loaded: Promise<OAuthSdk> | null = null

/** Loads the package on first use, because that takes 200 ms and most services have no server with OAuth. */
export function loadSdk(): Promise<OAuthSdk> {
  loaded ??= import('@modelcontextprotocol/client')
  return loaded
}

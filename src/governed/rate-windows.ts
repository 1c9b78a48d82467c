/** Which windows count the calls and the tokens of a key, and the calls to the tools of a server. */
export const rateWindows = {
  windowMs: 60_000,
  requestsOf: (keyId: string) => `${keyId}/rpm`,
  tokensOf: (keyId: string) => `${keyId}/tpm`,
  serverRequestsOf: (server: string) => `mcp:${server}/rpm`,
}

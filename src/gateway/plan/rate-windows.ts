/** Which windows count the calls and the tokens of a key. */
export const rateWindows = {
  windowMs: 60_000,
  requestsOf: (keyId: string) => `${keyId}/rpm`,
  tokensOf: (keyId: string) => `${keyId}/tpm`,
}

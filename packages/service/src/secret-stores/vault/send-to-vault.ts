/** Sends a request to a path below `/v1/`. */
export type SendToVault = (
  method: 'GET' | 'POST',
  path: string,
  options: { token?: string; body?: object },
) => Promise<{ status: number; text: string }>

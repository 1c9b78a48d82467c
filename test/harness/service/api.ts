/** The answer to a call, with its body read as JSON where it is JSON. */
export interface ApiAnswer {
  status: number
  headers: Headers
  // Tests read bodies without types, because they check what is in them.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
}

export interface Api {
  get(path: string): Promise<ApiAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  patch(path: string, body?: unknown): Promise<ApiAnswer>
  put(path: string, body?: unknown): Promise<ApiAnswer>
  delete(path: string): Promise<ApiAnswer>
}

/** Plain HTTP calls with a key, for tests that look at statuses and bodies. */
export function createApi(
  address: string,
  key: string | null,
  always: Readonly<Record<string, string>> = {},
): Api {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('application/json') && text !== ''
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  }
}

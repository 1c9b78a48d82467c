/** A browser without a window: follows redirects by hand, keeps cookies by host and path, and sends them as a browser does. */
export interface Browser {
  /** Goes to an address, and on to wherever it is sent, but not to what `stopAt` names. */
  open(address: string, stopAt?: (url: URL) => boolean): Promise<Visit>
  cookies: Cookie[]
}

interface Cookie {
  host: string
  path: string
  name: string
  value: string
}

export interface Visit {
  status: number
  /** Where it ended, or where it would have gone next. */
  url: URL
  body: string
}

let opened = 0

/** Each has an address of its own, for a service that trusts its proxy. */
export function openBrowser(): Browser {
  const cookies: Cookie[] = []
  const ip = `198.51.100.${(++opened % 250) + 1}`

  function keep(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const [name = '', value = ''] = pair.split('=')
    const given = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length)
    const path = given ?? (url.pathname.replace(/\/[^/]*$/, '') || '/')
    const index = cookies.findIndex(
      (each) => each.host === url.host && each.path === path && each.name === name,
    )
    if (index !== -1) cookies.splice(index, 1)
    if (!/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.push({ host: url.host, path, name, value })
  }

  const cookiesFor = (url: URL) =>
    cookies
      .filter(
        ({ host, path }) =>
          host === url.host && `${url.pathname}/`.startsWith(path.endsWith('/') ? path : `${path}/`),
      )
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')

  return {
    cookies,
    async open(address, stopAt = () => false) {
      let url = new URL(address)
      for (let hops = 0; hops < 20; hops++) {
        const cookie = cookiesFor(url)
        const response = await fetch(url, {
          redirect: 'manual',
          headers: { accept: 'text/html', 'x-forwarded-for': ip, ...(cookie !== '' && { cookie }) },
        })
        for (const line of response.headers.getSetCookie()) keep(url, line)
        const location = response.headers.get('location')
        const body = await response.text()
        if (location === null) return { status: response.status, url, body }
        url = new URL(location, url)
        if (stopAt(url)) return { status: response.status, url, body }
      }
      throw new Error(`redirected without end: ${url}`)
    },
  }
}

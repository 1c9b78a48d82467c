import ipaddr from 'ipaddr.js'

/** The address at which users open the service behind a proxy. */
export interface PublicUrl {
  /** `https://ai.example.com` */
  origin: string
  /** The path that the proxy removes, without a slash at the end, such as `/tallystick`. Empty when there is none. */
  prefix: string
}

export function readPublicUrl(text: string | null, faults: string[]): PublicUrl | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) {
    faults.push('TALLYSTICK_PUBLIC_URL: must be an http or https URL with nothing after its path')
    return null
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

export function readTrustedProxies(text: string | null, faults: string[]): string[] {
  const ranges = (text ?? '').split(',').flatMap((range) => range.trim() || [])
  if (!ranges.every((range) => ipaddr.isValid(range) || ipaddr.isValidCIDR(range)))
    faults.push(
      'TALLYSTICK_TRUSTED_PROXIES: must be addresses or ranges such as 10.0.0.5 or 10.20.0.0/16, separated by commas',
    )
  return ranges
}

import { lookup, Resolver } from 'node:dns/promises'

/** Every address of a name. Rejects if there is none. */
export type ResolveName = (name: string) => Promise<string[]>

/**
 * Asks the name servers directly. The system's lookup uses libuv's four threads: four names whose servers do not answer would
 * block every other lookup, and every file access. The system is asked only about names that the servers do not know, which
 * it answers from its hosts file.
 */
export function createNameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })

  return async (name) => {
    if (name === 'localhost' || name.endsWith('.localhost')) return await askSystem(name)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const timedOut = [ipv4, ipv6].find(
      (answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT',
    )
    if (timedOut?.status === 'rejected') throw timedOut.reason
    return await askSystem(name)
  }
}

async function askSystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

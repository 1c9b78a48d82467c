import { lookup, Resolver } from 'node:dns/promises'

/** Every address of a name. Rejects when there is none. */
export type ResolveName = (name: string) => Promise<string[]>

/**
 * Asks the name servers without the system's look-up, which has four threads for the whole process: four names whose
 * servers are silent would hold up every other call, and every file that is read. The system is asked only about names
 * that the servers do not know, which it answers from its own files.
 */
export function createNameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })

  return async (name) => {
    if (name === 'localhost' || name.endsWith('.localhost')) return await askSystem(name)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const silent = [ipv4, ipv6].find(
      (answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT',
    )
    if (silent?.status === 'rejected') throw silent.reason
    return await askSystem(name)
  }
}

async function askSystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

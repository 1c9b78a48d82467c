import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { root } from '../service/snippets.js'

interface ComposeService {
  image: string
  environment?: Record<string, string>
  command?: string[]
  secrets?: string[]
  healthcheck?: { test: string[] }
  stop_grace_period?: string
}

interface ComposeFile {
  name: string
  services: Record<string, ComposeService>
  secrets: Record<string, { file: string }>
}

/** Reads `deploy/compose/compose.yaml` with its anchors and merges resolved. Variables in it stay as they are. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(`${root}deploy/compose/compose.yaml`, 'utf8'), { merge: true })
}

/** The services that run this program. */
export const listOwnServices = ({ services }: ComposeFile): [string, ComposeService][] =>
  Object.entries(services).filter(([, { image }]) => image.startsWith('tallystick:'))

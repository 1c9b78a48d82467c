import type { Dialect } from '../dialects/index.js'

/** Anthropic's own endpoints: messages, and what stands below them. */
export const isMessages = ({ path }: Pick<Dialect, 'path'>): boolean => path.startsWith('/messages')

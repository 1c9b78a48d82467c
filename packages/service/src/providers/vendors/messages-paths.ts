import type { Endpoint } from '../endpoints/index.js'

/** True for Anthropic's own endpoints: messages, and the paths below it. */
export const isMessages = ({ path }: Pick<Endpoint, 'path'>): boolean => path.startsWith('/messages')

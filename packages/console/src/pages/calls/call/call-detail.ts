import type { components } from '../../../api'

/** A call with all that is known of it. */
export type CallDetail = components['schemas']['CallDetail']

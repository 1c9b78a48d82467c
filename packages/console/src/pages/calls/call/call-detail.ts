import type { components } from '../../../api'

/** A call with all of its details. */
export type CallDetail = components['schemas']['CallDetail']

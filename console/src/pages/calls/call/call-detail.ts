import type { components } from '../../../api'

export type CallDetail = components['schemas']['CallDetail']

import type { paths } from '@tallystick/sdk/types'
import createClient from 'openapi-fetch'
import { revealMarks } from './direction-marks'

/** Where the service is: the page's <base>, so that a path prefix in front of it counts. */
export const baseUrl = document.baseURI.replace(/\/$/, '')

/** The one client. What it may ask and what it is answered is typed by the OpenAPI document. */
export const api = createClient<paths>({
  baseUrl,
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
})
api.use(revealMarks)

export type { components, paths } from '@tallystick/sdk/types'

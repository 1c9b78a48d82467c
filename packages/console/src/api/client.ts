import type { paths } from '@tallystick/sdk/types'
import createClient from 'openapi-fetch'
import { dataAgeMiddleware } from './data-ages'
import { directionMarksMiddleware } from './direction-marks'

/** The base URL of the service, from the page's <base>, so that a path prefix works. */
export const baseUrl = document.baseURI.replace(/\/$/, '')

/** The API client, typed by the OpenAPI document. */
export const api = createClient<paths>({
  baseUrl,
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
})
api.use(directionMarksMiddleware, dataAgeMiddleware)

export type { components, paths } from '@tallystick/sdk/types'

export type {
  UpstreamChannel,
  UpstreamEnd,
  UpstreamOwner,
  UpstreamRequest,
  Upstreams,
} from './contract.js'
export { writeArgumentHeaders } from './protocol/request-headers.js'
export { type Refreshing, startRefreshing } from './refresh.js'
export { createUpstreams, type UpstreamsOptions } from './upstreams.js'

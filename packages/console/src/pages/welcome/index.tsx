import { FirstVisit } from '../overview/first-visit'

/** The first visit at an address of its own: it stays while its call arrives. */
export default FirstVisit

import { FirstVisit } from '../overview/first-visit'

/** The first steps under their own path, which stays while the first call arrives. */
export default FirstVisit

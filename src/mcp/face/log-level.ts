/** From the least to the most severe. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export const isLogLevel = (level: unknown): level is string =>
  typeof level === 'string' && levels.includes(level)

/** Whether somebody who wants to be told from `least` on is told of this. Null for everything. */
export const isLoggedAt = (level: unknown, least: string | null): boolean =>
  least === null || levels.indexOf(String(level)) >= levels.indexOf(least)

/** The log levels, from the least to the most severe. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export const isLogLevel = (level: unknown): level is string =>
  typeof level === 'string' && levels.includes(level)

/** True when a message of this level is at least as severe as `least`. Null accepts every level. */
export const isLoggedAt = (level: unknown, least: string | null): boolean =>
  least === null || levels.indexOf(String(level)) >= levels.indexOf(least)

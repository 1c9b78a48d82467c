/** Whether the error carries one of these codes, be it the system's (`ENOENT`) or Postgres's (`28P01`). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

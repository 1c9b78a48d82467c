export function findForbidden(
  packages: Record<string, { license?: string; version?: string; name?: string; link?: boolean }>,
): string[]

export function buildPython(target: string, python: string): string[]

export function fetchNode(version: string): string | null
export function fetchDeno(): string | null
export function fetchBun(): string | null

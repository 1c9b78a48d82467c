export function fetchNode(version: string): string | null
export function fetchDeno(): string | null
export function fetchBun(): string | null
export function fetchHelm(): string | null
export function fetchKubernetesSchemas(): string | null

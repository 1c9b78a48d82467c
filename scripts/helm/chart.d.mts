export function runHelm(command?: string, args?: string[]): string | null
export function renderManifests(): Record<'migrate.yaml' | 'tallystick.yaml', string> | null

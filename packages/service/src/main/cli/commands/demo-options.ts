/** The options of `tallystick demo`. */
export interface DemoOptions {
  tenant: string
  calls: number
  days: number
  seed: number
}

export const defaultDemo: DemoOptions = { tenant: 'demo', calls: 20_000, days: 7, seed: 1 }

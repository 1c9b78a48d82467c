/** One line of a page of metrics. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** What a scraper reads. */
export class MetricsReading {
  readonly samples: readonly Sample[]

  constructor(page: string) {
    this.samples = page
      .split('\n')
      .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [readSample(line)]))
  }

  of(name: string, labels: Record<string, string> = {}): Sample[] {
    return this.samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
  }

  /** Zero where there is no such line. */
  sum(name: string, labels: Record<string, string> = {}): number {
    return this.of(name, labels).reduce((sum, { value }) => sum + value, 0)
  }

  /** The number in the only line of its kind; null where there is none. */
  one(name: string, labels: Record<string, string> = {}): number | null {
    const [first, second] = this.of(name, labels)
    if (second) throw new Error(`${name} has several lines`)
    return first?.value ?? null
  }
}

export async function readMetrics(address: string): Promise<MetricsReading> {
  const response = await fetch(`${address}/metrics`)
  if (response.status !== 200) throw new Error(`/metrics answers ${response.status}`)
  return new MetricsReading(await response.text())
}

function readSample(line: string): Sample {
  const found = /^(\w+)(\{(.*)\})? (\S+)$/.exec(line)
  if (!found) throw new Error(`not a sample: ${line}`)
  const [, name = '', , labels = '', value = ''] = found
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [
    label,
    text,
  ])
  return { name, labels: Object.fromEntries(pairs), value: Number(value) }
}

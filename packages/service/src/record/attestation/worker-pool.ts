import { Worker } from 'node:worker_threads'

/** Worker threads that are started when there is work and end after some time without any. */
export interface WorkerPool<Task, Report> {
  /** Tasks are started in the order of the calls. */
  run(task: Task): Promise<Report>
  close(): Promise<void>
}

export interface WorkerPoolOptions {
  workerUrl: URL
  workerData: object
  maxThreads: number
  /** Must be shorter than the inactivity timeout of the worker's database socket. */
  idleMs: number
}

interface Job<Task, Report> {
  task: Task
  resolve(report: Report): void
  reject(error: Error): void
}

type Answer<Report> = { report: Report } | { error: { message: string; code?: string } }

interface Thread<Task, Report> {
  worker: Worker
  job: Job<Task, Report> | null
  idle: NodeJS.Timeout | null
}

const heapMb = 512

export function createWorkerPool<Task, Report>({
  workerUrl,
  workerData,
  maxThreads,
  idleMs,
}: WorkerPoolOptions): WorkerPool<Task, Report> {
  // Bounded: a number that is set.
  const threads = new Set<Thread<Task, Report>>()
  // Bounded: chunks of verifications under way, one of them for each tenant.
  const queue: Job<Task, Report>[] = []
  let closed = false

  function assign(): void {
    while (queue.length > 0) {
      const free = [...threads].find((thread) => thread.job === null)
      const thread = free ?? (threads.size < maxThreads ? start() : null)
      const job = thread && queue.shift()
      if (!job) return
      if (thread.idle !== null) clearTimeout(thread.idle)
      thread.job = job
      thread.worker.ref()
      thread.worker.postMessage(job.task)
    }
  }

  function start(): Thread<Task, Report> {
    const worker = new Worker(workerUrl, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    const thread: Thread<Task, Report> = { worker, job: null, idle: null }
    let failure: Error | null = null
    worker.on('message', (answer: Answer<Report>) => finish(thread, answer))
    worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error))
    })
    worker.on('exit', (code) => {
      threads.delete(thread)
      thread.job?.reject(failure ?? new Error(`A worker thread exited with code ${code} during a task`))
      assign()
    })
    threads.add(thread)
    return thread
  }

  function finish(thread: Thread<Task, Report>, answer: Answer<Report>): void {
    const { job } = thread
    thread.job = null
    if ('report' in answer) {
      job?.resolve(answer.report)
      startIdleTimer(thread)
    } else {
      const { message, ...details } = answer.error
      job?.reject(Object.assign(new Error(message), details))
      // Its connection may be broken; the next task gets a new thread.
      end(thread)
    }
    assign()
  }

  function startIdleTimer(thread: Thread<Task, Report>): void {
    thread.worker.unref()
    thread.idle = setTimeout(() => end(thread), idleMs).unref()
  }

  function end(thread: Thread<Task, Report>): void {
    threads.delete(thread)
    thread.worker.terminate().catch(() => undefined)
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('The worker threads are closed'))
        queue.push({ task, resolve, reject })
        assign()
      }),
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(new Error('The worker threads are closed'))
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
  }
}

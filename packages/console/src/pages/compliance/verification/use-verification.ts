import { useEffect, useRef, useState } from 'react'
import { api, expectSuccess } from '../../../api'
import { type FilesProgress, type FilesVerdict, verifyFiles } from '../../../verifier'

export type Verification =
  | { is: 'idle' }
  | { is: 'running'; files: readonly File[]; progress: FilesProgress | null }
  | { is: 'done'; files: readonly File[]; verdict: FilesVerdict; tookMs: number }
  | { is: 'failed'; files: readonly File[]; error: unknown }

/** Verifies files in the browser against the keys that the service publishes. A new run cancels the previous one. */
export function useVerification() {
  const [state, setState] = useState<Verification>({ is: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function verify(files: readonly File[], costs: boolean): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const startedMs = performance.now()
    setState({ is: 'running', files, progress: null })
    try {
      const { keys } = await expectSuccess(api.GET('/.well-known/tallystick/jwks.json', { signal }))
      const onProgress = (progress: FilesProgress) => {
        if (!signal.aborted) setState({ is: 'running', files, progress })
      }
      const verdict = await verifyFiles(files, { keys, costs, onProgress, signal })
      setState({ is: 'done', files, verdict, tookMs: performance.now() - startedMs })
    } catch (error) {
      if (!signal.aborted) setState({ is: 'failed', files, error })
    }
  }
  return {
    state,
    verify,
    cancel() {
      running.current?.abort()
      setState({ is: 'idle' })
    },
  }
}

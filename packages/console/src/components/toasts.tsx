import { Toast as BaseToast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { messageOf } from '../api'
import { cx } from './class-names'

/** One manager for the whole page, so that code outside of components can show toasts. */
const manager = BaseToast.createToastManager()

/** Reports success. */
export const notify = (title: string) => void manager.add({ title })

/** Reports a failure with its reason. The toast stays longer. */
export const notifyError = (title: string, error: unknown) =>
  void manager.add({ title, description: messageOf(error), type: 'error', timeout: 12_000 })

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <BaseToast.Provider toastManager={manager} timeout={4_000}>
      {children}
      <BaseToast.Portal>
        <BaseToast.Viewport className="fixed right-4 bottom-4 z-[70] flex w-[min(360px,calc(100vw-32px))] flex-col gap-2">
          <List />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  )
}

function List() {
  const { toasts } = BaseToast.useToastManager()
  return toasts.map((toast) => (
    <BaseToast.Root
      key={toast.id}
      toast={toast}
      className={cx(
        'rounded-md border bg-raised px-3 py-2 text-sm shadow-float',
        toast.type === 'error' ? 'border-bad' : 'border-rule-2',
      )}
    >
      <BaseToast.Title className="m-0 font-medium" render={<p />} />
      <BaseToast.Description className="m-0 mt-0.5 text-ink-2" />
    </BaseToast.Root>
  ))
}

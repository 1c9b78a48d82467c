import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'light' | 'dark' | 'system'

const changed = new EventTarget()
const media = matchMedia('(prefers-color-scheme: dark)')

function readChoice(): ThemeChoice {
  try {
    const chosen = localStorage.getItem('theme')
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  } catch {
    return 'system'
  }
}

function apply(): void {
  const choice = readChoice()
  const isDark = choice === 'dark' || (choice === 'system' && media.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem('theme')
    else localStorage.setItem('theme', choice)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  apply()
  changed.dispatchEvent(new Event('change'))
}

media.addEventListener('change', apply)

const subscribe = (listener: () => void) => {
  changed.addEventListener('change', listener)
  return () => changed.removeEventListener('change', listener)
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, readChoice)

import { useEffect } from 'preact/hooks'

export interface Shortcuts {
  onSearch: () => void
  onKeys: () => void
  onCopy: () => void
  onGround: () => void
  onEscape: () => void
}

/** Handles keys for the whole page. The shortcuts of the grid and the details are in these views. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog.keys, dialog.drawer')) return
      const action = actionOf(event.key, shortcuts)
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function actionOf(key: string, shortcuts: Shortcuts): (() => void) | undefined {
  if (key === '/') return shortcuts.onSearch
  if (key === '?') return shortcuts.onKeys
  if (key === 'c') return shortcuts.onCopy
  if (key === 'g') return shortcuts.onGround
  return key === 'Escape' ? shortcuts.onEscape : undefined
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'radio'
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
}

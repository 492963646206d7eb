import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Notice {
  text: string
  /** Distinguishes two notices with the same text. */
  id: number
}

/** Copies text, and briefly shows what was copied. */
export function useCopy() {
  const [notice, setNotice] = useState<Notice>()
  const say = useCallback((text: string) => setNotice((last) => ({ text, id: (last?.id ?? 0) + 1 })), [])
  useEffect(() => {
    if (!notice) return undefined
    const timer = setTimeout(() => setNotice(undefined), 2400)
    return () => clearTimeout(timer)
  }, [notice])
  const copy = useCallback(
    (text: string) => {
      void writeClipboard(text).then((isDone) => say(isDone ? `Copied ${text}` : 'The browser does not allow copying.'))
    },
    [say],
  )
  return { notice, copy, say }
}

export type Copy = (text: string) => void

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return writeBySelection(text)
  }
}

/** Copies by selection, because pages over plain HTTP or from disk don't have a clipboard. */
function writeBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Elements outside an open dialog can't be focused.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  parent.append(field)
  field.select()
  // Deprecated, but the only way without a secure context.
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isDone
}

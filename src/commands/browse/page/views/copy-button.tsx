import { useEffect, useState } from 'preact/hooks'
import { useShell } from '../app/shell.js'
import { Icon } from './icons.js'

/** @param label describes the text to copy, for the name of the button */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copy } = useShell()
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setDone(false), 1600)
    return () => clearTimeout(timer)
  }, [isDone])
  const press = () => {
    copy(text)
    setDone(true)
  }
  return (
    <button
      type="button"
      class={`icon-button ${isDone ? 'is-done' : ''}`}
      title="Copy"
      aria-label={`Copy ${label}`}
      onClick={press}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  )
}

/** A line of code with a copy button. */
export function CodeLine({ label, code }: { label: string; code: string }) {
  return (
    <div class="code-line">
      <span class="code-label">{label}</span>
      <code dir="ltr" title={code}>
        {code}
      </code>
      <CopyButton text={code} label={label} />
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icons.js'

/** The side bar on a narrow window. */
export function Drawer({ children, onClose }: { children: ComponentChildren; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-label="Contents"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <button type="button" class="icon-button drawer-close" aria-label="Close contents" onClick={onClose}>
        <Icon name="close" />
      </button>
      {children}
    </dialog>
  )
}

import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ModalProperties extends Pick<JSX.IntrinsicElements['dialog'], 'class' | 'aria-label' | 'aria-labelledby'> {
  children: ComponentChildren
  onClose: () => void
}

/** A dialog in front of the page. Escape or a click outside closes it. */
export function Modal({ children, onClose, ...attributes }: ModalProperties) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      {...attributes}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  )
}

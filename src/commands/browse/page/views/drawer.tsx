import type { ComponentChildren } from 'preact'
import { Icon } from './icons.js'
import { Modal } from './modal.js'

/** The sidebar in a narrow window. */
export function Drawer({ children, onClose }: { children: ComponentChildren; onClose: () => void }) {
  return (
    <Modal class="drawer" aria-label="Contents" onClose={onClose}>
      <button type="button" class="icon-button drawer-close" aria-label="Close contents" onClick={onClose}>
        <Icon name="close" />
      </button>
      {children}
    </Modal>
  )
}

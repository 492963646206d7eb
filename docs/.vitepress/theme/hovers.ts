/** Shows the type of a name in code, which the build has put beside it, while the pointer rests on it. */
export function showTypes(): void {
  const panel = document.createElement('div')
  panel.className = 'type-panel'
  panel.popover = 'manual'
  document.body.append(panel)
  const hide = (): void => panel.hidePopover()

  document.addEventListener('pointerover', ({ target }) => {
    if (!(target instanceof Element) || panel.contains(target)) return
    const name = target.closest('.twoslash-hover')
    const template = name?.querySelector('template')
    if (!name || !template) return hide()
    panel.replaceChildren(template.content.cloneNode(true))
    panel.showPopover()
    const { left, bottom } = name.getBoundingClientRect()
    panel.style.left = `${Math.max(8, Math.min(left, innerWidth - panel.offsetWidth - 8))}px`
    panel.style.top = `${bottom + 2}px`
  })
  document.addEventListener('scroll', hide, { capture: true, passive: true })
}

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons.js'

/** Explains why nothing is displayed, and what to do. */
export function Notice(properties: { icon: IconName; title: string; children?: ComponentChildren; isAlert?: boolean }) {
  const { icon, title, children, isAlert = false } = properties
  return (
    <div class={`notice ${isAlert ? 'is-alert' : ''}`} role={isAlert ? 'alert' : undefined}>
      <span class="notice-icon">
        <Icon name={icon} size={24} />
      </span>
      <p class="notice-title">{title}</p>
      {children}
    </div>
  )
}

export function LoadFailure({ what, message, onRetry }: { what: string; message: string; onRetry: () => void }) {
  return (
    <Notice icon="alert" title={`${what} could not be loaded`} isAlert>
      <p class="notice-text">{message}</p>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </Notice>
  )
}

/** The outline of the grid, while a kit is loading. */
export function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: 12 }, (_, at) => (
        <span key={at} class="skeleton-tile" />
      ))}
    </div>
  )
}

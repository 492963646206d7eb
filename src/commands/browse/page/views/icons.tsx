const shapes = {
  search: <path d="m11 11 3.2 3.2M12.5 7.25a5.25 5.25 0 1 1-10.5 0 5.25 5.25 0 0 1 10.5 0Z" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  copy: (
    <>
      <path d="M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2" />
      <path d="M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z" />
    </>
  ),
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  sun: (
    <>
      <path d="M8 1.5v1m0 11v1M1.5 8h1m11 0h1M3.4 3.4l.7.7m7.8 7.8.7.7m0-9.2-.7.7m-7.8 7.8-.7.7" />
      <path d="M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z" />
    </>
  ),
  moon: <path d="M13.5 9.2A5.8 5.8 0 0 1 6.8 2.5a5.8 5.8 0 1 0 6.7 6.7Z" />,
  circle: <circle cx="8" cy="8" r="5.5" />,
  disc: <circle cx="8" cy="8" r="6" fill="currentColor" stroke="none" />,
  system: <path d="M2.5 3h11v7.5h-11zM6 13.5h4m-2-3v3" />,
  left: <path d="m9.5 3.5-4.5 4.5 4.5 4.5" />,
  right: <path d="m6.5 3.5 4.5 4.5-4.5 4.5" />,
  menu: <path d="M2.5 4.5h11m-11 3.5h11m-11 3.5h11" />,
  external: <path d="M6.5 3.5h-3v9h9v-3m-3-6h3v3m0-3-5 5" />,
  alert: <path d="M8 6v3m0 2.2v.1M7.1 2.6 1.7 12a1 1 0 0 0 .9 1.5h10.8a1 1 0 0 0 .9-1.5L8.9 2.6a1 1 0 0 0-1.8 0Z" />,
  auto: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11Z" fill="currentColor" />
    </>
  ),
  checkered: (
    <path
      fill="currentColor"
      stroke="none"
      d="M2.5 2.5h3.7v3.7H2.5zm3.7 3.7h3.7v3.7H6.2zM9.9 2.5h3.6v3.7H9.9zM2.5 9.9h3.7v3.6H2.5zm7.4 0h3.6v3.6H9.9z"
    />
  ),
  grid: <path d="M2.5 2.5h4v4h-4zm7 0h4v4h-4zm-7 7h4v4h-4zm7 0h4v4h-4z" />,
  usage: <path d="m5.5 4.5-3.5 3.5 3.5 3.5m5-7 3.5 3.5-3.5 3.5" />,
  changes: <path d="M5 2.5v8m0-8L2.5 5M5 2.5 7.5 5m3.5 8.5v-8m0 8L8.5 11m2.5 2.5 2.5-2.5" />,
  keyboard: <path d="M1.5 4h13v8h-13zM4 6.5h.1m2.6 0h.1m2.6 0h.1m2.4 0h.1M4.5 9.5h7" />,
  away: (
    <>
      <path d="M2 6a9 9 0 0 1 3-1.8M14 6a9 9 0 0 0-5.5-2.4" />
      <path d="M4.5 8.7A5.5 5.5 0 0 1 6.6 7.4m4.9 1.3a5.5 5.5 0 0 0-1.5-1.1M8 12v.1M2.5 2.5l11 11" />
    </>
  ),
  empty: <path d="M2.5 9.5h3l1 1.5h3l1-1.5h3m-11 0v3.5h11V9.5m-11 0 2-6.5h7l2 6.5" />,
}

export type IconName = keyof typeof shapes

/** A decorative icon. The text beside it or the label of its control has the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      {shapes[name]}
    </svg>
  )
}

/** Represents a file that can't be displayed as a picture. */
export function TypeTile({ type, note }: { type: string; note?: string | undefined }) {
  return (
    <div class="preview type-tile">
      <svg viewBox="0 0 48 60" width="48" height="60" aria-hidden="true">
        <path d="M6 1.5h24L46.5 18v36a4.5 4.5 0 0 1-4.5 4.5H6A4.5 4.5 0 0 1 1.5 54V6A4.5 4.5 0 0 1 6 1.5Z" />
        <path d="M30 1.5V14a4 4 0 0 0 4 4h12.5" />
      </svg>
      <span class="type-tile-name">{type.slice(0, 12) || 'File'}</span>
      {note && <span class="type-tile-note">{note}</span>}
    </div>
  )
}

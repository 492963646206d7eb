import type { RefObject } from 'preact'
import type { Ground } from '../app/settings.js'
import type { FieldChoice } from '../../../shared/kit-page/search/fields.js'
import { chooseField, hasFilter, parseQuery, plainValue, toggleFilter } from '../../../shared/kit-page/search/query.js'
import { Icon } from './icons.js'
import { GroundChoice } from './segments.js'

export interface ToolbarProperties {
  input: RefObject<HTMLInputElement | null>
  text: string
  onText: (text: string) => void
  types: [type: string, count: number][]
  fields: FieldChoice[]
  hasUsage: boolean
  ground: Ground
  onGround: (ground: Ground) => void
  onMenu: () => void
  onResults: (event: KeyboardEvent) => void
}

export function Toolbar({
  input,
  text,
  onText,
  types,
  fields,
  hasUsage,
  ground,
  onGround,
  onMenu,
  onResults,
}: ToolbarProperties) {
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'Enter') onResults(event)
    if (event.key !== 'Escape') return
    // The first press clears the text; the next one leaves the field.
    event.stopPropagation()
    if (text) onText('')
    else input.current?.blur()
  }
  return (
    <header class="bar">
      <div class="bar-row">
        <button type="button" class="icon-button bar-menu" aria-label="Contents" onClick={onMenu}>
          <Icon name="menu" />
        </button>
        <div class="search" role="search">
          <Icon name="search" />
          <input
            ref={input}
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            spellcheck={false}
            aria-label="Search assets"
            aria-keyshortcuts="/"
            placeholder="Search names, keywords, colors"
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
            onKeyDown={keys}
          />
          {text ? (
            <button type="button" class="icon-button" aria-label="Clear search" onClick={() => onText('')}>
              <Icon name="close" />
            </button>
          ) : (
            <kbd aria-hidden="true">/</kbd>
          )}
        </div>
        <GroundChoice name="ground" value={ground} onChange={onGround} />
      </div>
      <div class="chips" role="group" aria-label="Filters">
        {hasUsage && types.length > 0 && (
          <>
            <Chip term="used" text={text} onText={onText} />
            <Chip term="unused" text={text} onText={onText} />
            <span class="chips-line" />
          </>
        )}
        {types.map(([type, count]) => (
          <Chip key={type} term={`type:${type}`} label={type} count={count} text={text} onText={onText} />
        ))}
        {fields.length > 0 && <span class="chips-line" />}
        {fields.map((field) => (
          <FieldFilter key={field.key} field={field} text={text} onText={onText} />
        ))}
      </div>
    </header>
  )
}

interface ChipProperties {
  term: string
  label?: string
  count?: number
  text: string
  onText: (text: string) => void
}

/** A filter that is part of the search text. */
function Chip({ term, label = term, count, text, onText }: ChipProperties) {
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={hasFilter(text, term)}
      onClick={() => onText(toggleFilter(text, term))}
    >
      <span class={term.startsWith('type:') ? 'chip-type' : 'chip-text'}>{label}</span>
      {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
    </button>
  )
}

interface FieldFilterProperties {
  field: FieldChoice
  text: string
  onText: (text: string) => void
}

/** Chooses a value of a custom field. The choice is also part of the search text. */
function FieldFilter({ field: { key, name, values }, text, onText }: FieldFilterProperties) {
  const [wanted] = parseQuery(text).fields.get(key.toLowerCase()) ?? []
  const chosen = values.find(([value]) => plainValue(value) === wanted)?.[0] ?? ''
  return (
    <select
      class={`field chip-field ${chosen ? 'is-chosen' : ''}`}
      aria-label={name}
      value={chosen}
      onChange={(event) => onText(chooseField(text, key, event.currentTarget.value))}
    >
      <option value="">{name}</option>
      {values.map(([value, count]) => (
        <option key={value} value={value}>
          {`${value} (${count.toLocaleString('en')})`}
        </option>
      ))}
    </select>
  )
}

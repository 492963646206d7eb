import { Icon, type IconName } from './icons.js'

interface Segment<T extends string> {
  value: T
  label: string
  icon: IconName
}

/** A choice between a few values: radio buttons that look like one control. */
function Segments<T extends string>(properties: {
  name: string
  label: string
  segments: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
}) {
  const { name, label, segments, value, onChange } = properties
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {segments.map((segment) => (
        <label key={segment.value} class="segment" title={segment.label}>
          <input
            type="radio"
            name={name}
            class="hidden"
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          <Icon name={segment.icon} />
          <span class="hidden">{segment.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

const themes: Segment<'system' | 'light' | 'dark'>[] = [
  { value: 'system', label: 'Colors of the system', icon: 'system' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
]

const grounds: Segment<'auto' | 'light' | 'dark' | 'checkered'>[] = [
  { value: 'auto', label: 'Background chosen for each picture', icon: 'auto' },
  { value: 'light', label: 'Light background', icon: 'circle' },
  { value: 'dark', label: 'Dark background', icon: 'disc' },
  { value: 'checkered', label: 'Checkered background', icon: 'checkered' },
]

type ChoiceProperties<T> = { name: string; value: T; onChange: (value: T) => void }

export function ThemeChoice(properties: ChoiceProperties<'system' | 'light' | 'dark'>) {
  return <Segments label="Theme" segments={themes} {...properties} />
}

export function GroundChoice(properties: ChoiceProperties<'auto' | 'light' | 'dark' | 'checkered'>) {
  return <Segments label="Background of pictures" segments={grounds} {...properties} />
}

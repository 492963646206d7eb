import { useState } from 'preact/hooks'
import { useShell } from '../app/shell.js'
import type { AssetData } from '../../../shared/kit-page/data.js'
import type { KitModel } from '../../../shared/kit-page/model.js'
import { choicesOf, choose, enter, formatQuery, type Choice, type Chosen } from '../../../shared/kit-page/query.js'
import { assetId, importOf } from '../../../shared/kit-page/snippets.js'
import { CodeLine } from '../views/copy-button.js'
import { QueryResult } from './query-result.js'

/** The maximum number of values for buttons. More values become a drop-down list. */
const mostButtons = 10

/** Lets the user build a query by clicking, and displays its result. */
export function QueryBuilder({ model, asset }: { model: KitModel; asset: AssetData }) {
  const { project } = useShell()
  const [chosen, setChosen] = useState<Chosen>({})
  const choices = choicesOf(project.parameters, asset)
  const query = formatQuery(project.parameters, chosen)
  const id = assetId(model, asset, query)
  const rows = (isFrequent: boolean) =>
    choices
      .filter((choice) => choice.isFrequent === isFrequent)
      .map((choice) => <ChoiceRow key={choice.key} choice={choice} chosen={chosen} onChange={setChosen} />)
  const rest = rows(false)
  return (
    <section class="detail-part">
      <h3>
        Query
        {query && (
          <button type="button" class="text-button" onClick={() => setChosen({})}>
            Clear
          </button>
        )}
      </h3>
      <div class="choices">{rows(true)}</div>
      {rest.length > 0 && (
        <details class="more">
          <summary>More keys</summary>
          <div class="choices">{rest}</div>
        </details>
      )}
      {query && (
        <div class="query-result">
          <CodeLine label="Import" code={importOf(asset.export, id)} />
          <CodeLine label="Id" code={id} />
          {project.mode !== 'static' && <QueryResult id={id} />}
        </div>
      )}
    </section>
  )
}

interface RowProperties {
  choice: Choice
  chosen: Chosen
  onChange: (chosen: Chosen) => void
}

function ChoiceRow({ choice, chosen, onChange }: RowProperties) {
  const { key, description, isFlag, values, offered } = choice
  const isFree = !values && key !== 'cut'
  const inputId = `query-${key}`
  return (
    <div class="choice">
      <span class="choice-key" title={description} id={`${inputId}-label`}>
        {key}
      </span>
      <div class="choice-values" role="group" aria-labelledby={`${inputId}-label`}>
        {isFlag && offered.length === 0 && !values?.length ? (
          <Toggle
            text={key in chosen ? 'on' : 'off'}
            isOn={key in chosen}
            onClick={() => onChange(choose(chosen, choice))}
          />
        ) : (
          <>
            <Values choice={choice} chosen={chosen} onChange={onChange} />
            {isFree && <FreeValue choice={choice} chosen={chosen} onChange={onChange} />}
          </>
        )}
      </div>
    </div>
  )
}

function Values({ choice, chosen, onChange }: RowProperties) {
  const { key, offered } = choice
  if (offered.length > mostButtons)
    return (
      <select
        class="field"
        aria-labelledby={`query-${key}-label`}
        value={chosen[key]?.[0] ?? ''}
        onChange={(event) => onChange(enter(chosen, choice, event.currentTarget.value))}
      >
        <option value="">none</option>
        {offered.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    )
  return offered.map((value) => (
    <Toggle
      key={value}
      text={value}
      isOn={chosen[key]?.includes(value) ?? false}
      onClick={() => onChange(choose(chosen, choice, value))}
    />
  ))
}

/** A field for values without a button. */
function FreeValue({ choice, chosen, onChange }: RowProperties) {
  const { key, isList, offered } = choice
  const values = chosen[key] ?? []
  const own = values.filter((value) => !offered.includes(value))
  const change = (text: string) => {
    const kept = isList ? values.filter((value) => offered.includes(value)) : []
    onChange(enter(chosen, choice, [...kept, text].join(isList ? ';' : '')))
  }
  return (
    <input
      class="field"
      type="text"
      size={6}
      aria-label={`Another value of ${key}`}
      placeholder={offered.length > 0 ? 'other' : 'value'}
      value={own.join(';')}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

function Toggle({ text, isOn, onClick }: { text: string; isOn: boolean; onClick: () => void }) {
  return (
    <button type="button" class="toggle" aria-pressed={isOn} onClick={onClick}>
      {text}
    </button>
  )
}

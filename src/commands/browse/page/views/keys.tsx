import { Icon } from './icons.js'
import { Modal } from './modal.js'

const keys: [keys: string[], meaning: string][] = [
  [['/'], 'Search'],
  [['←', '→', '↑', '↓'], 'Move through the assets'],
  [['Enter'], 'Open the details'],
  [['←', '→'], 'Previous and next asset, in the details'],
  [['c'], 'Copy the import'],
  [['g'], 'Next background: automatic, light, dark, checkered'],
  [['Esc'], 'Close the details, or clear the search'],
  [['?'], 'Show these keys'],
]

export function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Modal class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <div class="keys-body">
        <div class="keys-head">
          <h2 id="keys-title">Keys</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <dl>
          {keys.map(([names, meaning]) => (
            <div key={meaning}>
              <dt>{meaning}</dt>
              <dd>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  )
}

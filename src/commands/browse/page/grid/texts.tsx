import type { GuideData, TextData } from '../../../shared/kit-page/data.js'
import { CodeLine } from '../views/copy-button.js'

/**
 * Notes, snippets, guides without a picture, and names of galleries. All are rendered as plain text, even if they
 * contain markup.
 */
export function Texts({ texts }: { texts: readonly TextData[] }) {
  return (
    <div class="texts">
      {texts.map((text, at) => (
        <div key={at}>
          <Text text={text} />
          {text.caption && (
            <p class="text-caption" dir="auto">
              {text.caption}
            </p>
          )}
        </div>
      ))}
    </div>
  )
}

function Text({ text }: { text: TextData }) {
  if ('guide' in text) return <Guide guide={text.guide} />
  if ('code' in text) return <CodeLine label={text.language || 'Code'} code={text.code} />
  if ('note' in text)
    return (
      <p class="note" dir="auto">
        {text.note}
      </p>
    )
  return (
    <p class="gallery">
      <span class="tag">Gallery</span>
      <span class="gallery-name" dir="auto">
        {text.gallery}
      </span>
      <span class="count">{text.assets.length}</span>
    </p>
  )
}

/** A rule, with a line in its color beside it. */
export function Guide({ guide: { title, content, color } }: { guide: GuideData }) {
  return (
    <div class="guide" style={{ borderColor: color }}>
      {title && (
        <p class="guide-title" dir="auto">
          {title}
        </p>
      )}
      {content && <p dir="auto">{content}</p>}
    </div>
  )
}

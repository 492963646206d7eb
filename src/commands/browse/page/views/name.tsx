/** The number of characters at the end that are always kept, because consecutive names often differ only there. */
const tail = 9

/** A name on one line, shortened in its middle. The tooltip contains the whole name. */
export function Name({ text, class: names = '' }: { text: string; class?: string }) {
  const letters = Array.from(text)
  const isLong = letters.length > 18
  return (
    <span class={`name ${names}`} title={text} dir="auto">
      <span class="name-head">{isLong ? letters.slice(0, -tail).join('') : text}</span>
      {isLong && <span class="name-tail">{letters.slice(-tail).join('')}</span>}
    </span>
  )
}

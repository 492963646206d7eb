import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg&placeholder=color'
import leaf from 'content-space:asset/brand/leaf?raw'

export default function Page() {
  return (
    <main>
      <p data-content="logo">
        <img alt={solvaneLogo.name} src={solvaneLogo.src} />
      </p>
      <p data-content="coast">
        <picture>
          {coast.sources.map(({ type, srcset }) => (
            <source key={type} type={type} srcSet={srcset} sizes="400px" />
          ))}
          <img alt={coast.name} src={coast.src} />
        </picture>
      </p>
      <p data-content="leaf" dangerouslySetInnerHTML={{ __html: leaf }} />
    </main>
  )
}

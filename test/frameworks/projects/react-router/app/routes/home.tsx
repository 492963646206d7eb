import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg'
import leaf from 'content-space:asset/brand/leaf?raw'
import dunes from 'content-space:asset/brand/dunes-at-noon?w=240'
import type { Route } from './+types/home'

/** Only the server imports this picture. */
export function loader() {
  return { src: dunes.src, name: dunes.name, width: dunes.width }
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <main data-content="page">
      <title>{solvaneLogo.name}</title>
      <img alt={solvaneLogo.name} src={solvaneLogo.src} />
      <picture>
        {coast.sources.map(({ type, srcset }) => (
          <source key={type} type={type} srcSet={srcset} sizes="400px" />
        ))}
        <img alt={coast.name} src={coast.src} width={coast.width} height={coast.height} />
      </picture>
      <img alt={loaderData.name} src={loaderData.src} width={loaderData.width} />
      <span dangerouslySetInnerHTML={{ __html: leaf }} />
    </main>
  )
}

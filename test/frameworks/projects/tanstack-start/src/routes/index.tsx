import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { solvaneLogo } from 'content-space:kit/brand'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=webp;jpg'
import leaf from 'content-space:asset/brand/leaf?raw'
import dunes from 'content-space:asset/brand/dunes-at-noon?w=240'

/** Only the server imports this picture. */
const readPicture = createServerFn().handler(() => ({ src: dunes.src, name: dunes.name, width: dunes.width }))

export const Route = createFileRoute('/')({ loader: () => readPicture(), component: Home })

function Home() {
  const picture = Route.useLoaderData()
  return (
    <main data-content="page">
      <img alt={solvaneLogo.name} src={solvaneLogo.src} />
      <picture>
        {coast.sources.map(({ type, srcset }) => (
          <source key={type} type={type} srcSet={srcset} sizes="400px" />
        ))}
        <img alt={coast.name} src={coast.src} width={coast.width} height={coast.height} />
      </picture>
      <img alt={picture.name} src={picture.src} width={picture.width} />
      <span dangerouslySetInnerHTML={{ __html: leaf }} />
    </main>
  )
}

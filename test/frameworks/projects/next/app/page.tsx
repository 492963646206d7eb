import Image from 'next/image'
import { solvaneLogo } from 'content-space:kit/brand'
import * as print from 'content-space:section/brand/print'
import coast from 'content-space:asset/brand/coast-at-dawn?w=320;640&format=avif;webp;jpg&placeholder=color'
import leaf from 'content-space:asset/brand/leaf?raw'
import guide from 'content-space:asset/brand/brand-guide?url'
import { Shown } from './shown'

export default function Page() {
  return (
    <main>
      <Image src={solvaneLogo.src} width={solvaneLogo.width} height={solvaneLogo.height} alt={solvaneLogo.name} />
      <Image src={coast} placeholder="blur" alt="Optimized" />
      <picture>
        {coast.sources.map((source) => (
          <source key={source.type} type={source.type} srcSet={source.srcset} sizes="400px" />
        ))}
        <img src={coast.src} alt={coast.name} />
      </picture>
      <span data-content="leaf" dangerouslySetInnerHTML={{ __html: leaf }} />
      <a data-content="guide" href={guide} download={print.brandGuide.name}>
        Guide
      </a>
      <Shown />
    </main>
  )
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import type { Options } from '../../src/config/options.js'
import { startServer } from '../../src/commands/serve/server.js'
import { makeFont } from '../support/font.js'

/** The kits of the scenarios, by name. */
export const kits = {
  /** 1,000 drawings in four sections, `asset00001` to `asset01000`, or only one drawing if the space isn't large. */
  big: '10000000-0000-4000-8000-000000000001',
  /** A few assets, one of each kind, and a file that is also in `twin`. */
  brand: '10000000-0000-4000-8000-000000000002',
  twin: '10000000-0000-4000-8000-000000000003',
  /** Colors and fonts. */
  style: '10000000-0000-4000-8000-000000000004',
  /** Items of types other than headings and assets, and the assets that they contain. */
  rules: '10000000-0000-4000-8000-000000000005',
} as const

/** The uuid of an asset that occurs twice in `brand` and once in `twin`. */
export const shared = '20000000-0000-4000-8000-000000000001'

export interface TestSpace {
  /** Returns the service's URL, credentials, and a new cache folder. */
  options(): Options
  /** Changes a file of `brand`, and the date of the kit. */
  edit(path: string, bytes: string | Buffer): Promise<void>
  /** Returns the bytes of an original. */
  original(path: string): Buffer
  /** Returns the methods and paths of all requests since the last call. */
  requests(): string[]
  close(): Promise<void>
}

/** @param large whether the kit `big` is complete, which makes the service respond more slowly */
export async function openTestSpace({ large = false } = {}): Promise<TestSpace> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-service-'))
  const files = await contents(large)
  await Promise.all([...files].map(([path, bytes]) => writeDeep(join(root, 'space', path), bytes)))
  const asked: string[] = []
  const service = await startServer({
    folder: join(root, 'space'),
    onRequest: ({ method, path }) => void asked.push(`${method} ${path}`),
  })
  let caches = 0
  let edits = 0
  return {
    options: () => ({
      space: service.url,
      spaceId: service.spaceId,
      token: service.token,
      cacheDir: join(root, `cache-${caches++}`),
    }),
    async edit(path, bytes) {
      await writeDeep(join(root, 'space/brand', path), bytes)
      const date_updated = new Date(Date.UTC(2026, 0, 1, 0, 0, ++edits)).toISOString()
      await writeDeep(
        join(root, 'space/brand/kit.json'),
        JSON.stringify({ uuid: kits.brand, name: 'Brand', date_updated }),
      )
    },
    original: (path) => Buffer.from(files.get(path) ?? ''),
    requests: () => asked.splice(0),
    async close() {
      await service.close()
      // A failed build may still be writing to its cache.
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function writeDeep(path: string, bytes: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

export function drawing(text: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20"><title>${text}</title><path d="M0 0h40v20H0z"/></svg>`
}

async function contents(large: boolean): Promise<Map<string, string | Buffer>> {
  const files = new Map<string, string | Buffer>()
  const json = (path: string, value: unknown) => files.set(path, JSON.stringify(value))
  json('big/kit.json', { uuid: kits.big, name: 'Big' })
  for (let at = 1; at <= (large ? 1000 : 1); at++) {
    const name = `asset-${String(at).padStart(5, '0')}`
    files.set(`big/${Math.ceil(at / 250)} Part ${Math.ceil(at / 250)}/${name}.svg`, drawing(name))
  }
  const photo = sharp({ create: { width: 60, height: 40, channels: 3, background: '#2a6' } })
  const note = { uuid: shared, name: 'Shared mark' }
  json('brand/kit.json', { uuid: kits.brand, name: 'Brand' })
  files.set('brand/01 Logos/acme-logo.svg', drawing('Acme'))
  json('brand/01 Logos/acme-logo.json', { notes: 'Use it "well" </script>', keywords: ['logo', 'acme'] })
  files.set('brand/01 Logos/shared-mark.svg', drawing('Shared'))
  json('brand/01 Logos/shared-mark.json', note)
  files.set('brand/01 Logos/Dark/acme-logo-dark.svg', drawing('Acme dark'))
  files.set('brand/02 Photos/hero-photo.jpg', await photo.jpeg().toBuffer())
  files.set('brand/02 Photos/2x.svg', drawing('2x'))
  json('brand/02 Photos/2x.json', { name: 'ÅÄÖ & "#?%": 漢字 ../x' })
  files.set('brand/02 Photos/default.svg', drawing('default'))
  files.set('brand/03 Again/shared-mark.svg', drawing('Shared'))
  json('brand/03 Again/shared-mark.json', note)
  json('twin/kit.json', { uuid: kits.twin, name: 'Twin' })
  files.set('twin/Marks/shared-mark.svg', drawing('Shared'))
  json('twin/Marks/shared-mark.json', note)
  json('style/kit.json', { uuid: kits.style, name: 'Style' })
  json('style/01 Colours/coral.json', { color: '#E5603F', notes: 'One a page. </script>' })
  json('style/01 Colours/Faint/mist.json', { color: '#E5603F66' })
  files.set('style/02 Fonts/test-light.woff2', font('Light', 300))
  files.set('style/02 Fonts/test-bold.woff2', font('Bold', 700))
  json('rules/kit.json', { uuid: kits.rules, name: 'Rules' })
  for (const name of ['do', 'first', 'second', 'plain']) files.set(`rules/Logo/${name}.svg`, drawing(name))
  json('rules/Logo/section.json', {
    items: [
      { type: 'inline_note', content: 'On white. </script>' },
      { type: 'guide', title: 'Do', color: '#2e7d32', file: 'do.svg' },
      { type: 'gallery', name: 'Campaign', files: ['first.svg', 'second.svg'] },
      { file: 'plain.svg', display: { caption: 'The logo' } },
    ],
  })
  return files
}

function font(variant: string, weight: number): Buffer {
  return makeFont({ family: 'Test Sans', variant, weight, format: 'woff2' })
}

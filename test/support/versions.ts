import sharp from 'sharp'
import { svg, type Files } from './space.js'

/** The uuids of a kit with two versions and a draft, each of which differs from the one before. */
export const versioned = {
  kit: '3BD9A8C0-1111-4222-8333-444455556666',
  logo: uuid(1),
  hero: uuid(2),
  badge: uuid(3),
  icon: uuid(4),
  poster: uuid(5),
}

function uuid(number: number): string {
  return `237C41F2-AAAA-4BBB-8CCC-00000000000${number}`
}

/**
 * Returns the files of the kit. Version 2 renames the logo, replaces the file of the hero photo, removes the badge,
 * adds the poster, and changes the order. The draft restores the badge and removes the icon.
 * @param use the version in use
 */
export async function versionedKit(use = 1): Promise<Files> {
  const [dawn, dusk] = await Promise.all([photo('#e07a3f'), photo('#27466b')])
  const logo = svg('logo', 120, 40)
  return {
    'space.json': { space_id: 7 },
    'brand/kit.json': {
      uuid: versioned.kit,
      name: 'Brand',
      use_version: use,
      date_updated: date(use),
      versions: [1, 2].map((version) => ({
        version,
        version_identifier: `${version}.0`,
        folder: `versions/${version}`,
        date_updated: date(version),
      })),
    },
    ...edition('brand/versions/1', [
      ['acme-logo.svg', logo, versioned.logo],
      ['hero-photo.jpg', dawn, versioned.hero],
      ['old-badge.svg', svg('badge'), versioned.badge],
      ['icon.svg', svg('icon'), versioned.icon],
    ]),
    ...edition('brand/versions/2', [
      ['poster.svg', svg('poster', 60, 90), versioned.poster],
      ['icon.svg', svg('icon'), versioned.icon],
      ['hero-photo.jpg', dusk, versioned.hero],
      ['corp-logo.svg', logo, versioned.logo],
    ]),
    ...edition('brand', [
      ['poster.svg', svg('poster', 60, 90), versioned.poster],
      ['old-badge.svg', svg('badge'), versioned.badge],
      ['hero-photo.jpg', dusk, versioned.hero],
      ['corp-logo.svg', logo, versioned.logo],
    ]),
  }
}

/** Returns the files of the kit with a version 2 that only adds release notes to version 1. */
export async function notedKit(use = 1): Promise<Files> {
  const files = await versionedKit(use)
  const kit = Object(files['brand/kit.json'])
  const [first, second] = kit.versions
  const noted = { ...second, folder: first.folder, notes: 'The icon\ncomes first.' }
  return { ...files, 'brand/kit.json': { ...kit, versions: [first, noted] } }
}

function photo(background: string): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

function date(day: number): string {
  return `2024-01-0${day} 00:00:00.000000+0000`
}

/** Returns a section with its assets in the given order. */
function edition(folder: string, files: [name: string, content: string | Uint8Array, uuid: string][]): Files {
  const entries = files.flatMap(([name, content, id]): [string, Files[string]][] => [
    [`${folder}/Logos/${name}`, content],
    [`${folder}/Logos/${name.replace(/\.\w+$/, '.json')}`, { uuid: id }],
  ])
  return { [`${folder}/Logos/section.json`]: { items: files.map(([name]) => name) }, ...Object.fromEntries(entries) }
}

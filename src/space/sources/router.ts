import { ContentSpaceError } from '../../errors.js'
import type { Places, SpaceLocation } from '../places.js'
import type { Space } from '../space.js'

/** The main space of a project whose kits all have their own source. */
export const noSpace: Space = {
  label: 'the sources of option kits',
  key: '',
  kits: async () => [],
  kit: (kit) => missing('kitNotFound', 'kit', kit),
  outline: (kit) => missing('kitNotFound', 'kit', kit),
  section: (section) => missing('sectionNotFound', 'section', section),
  gallery: async () => undefined,
  fields: async () => [],
  download: ({ uuid }) => missing('assetNotFound', 'asset', uuid),
  close: async () => {},
}

async function missing(
  code: 'kitNotFound' | 'sectionNotFound' | 'assetNotFound',
  what: 'kit' | 'section' | 'asset',
  uuid: string,
): Promise<never> {
  throw new ContentSpaceError(code, `No source of option kits has ${what} ${uuid}.`, {
    [what]: uuid,
    hint: 'Set option space, or give the kit a source in option kits.',
  })
}

/**
 * Opens the spaces of a project. Kits with the same source share one space, and therefore its connections.
 * @param open opens a space by its location
 */
export async function openSources(
  location: Places['space'],
  sources: NonNullable<Places['sources']>,
  open: (location: Places['space']) => Promise<Space>,
): Promise<Space> {
  const main = await open(location)
  const opened = new Map<SpaceLocation, Space>()
  const own = new Map<string, Space>()
  for (const [kit, { space }] of sources) {
    const known = opened.get(space) ?? (await open(space))
    opened.set(space, known)
    own.set(kit, known)
  }
  return routeKits(main, own)
}

/** Joins several spaces into one that forwards each call to the space of the kit. */
function routeKits(main: Space, own: ReadonlyMap<string, Space>): Space {
  const all = [...new Set([...(main === noSpace ? [] : [main]), ...own.values()])]
  const of = (kit: string | undefined): Space => own.get(kit ?? '') ?? main
  return {
    label: all.map(({ label }) => label).join(', '),
    key: all.map(({ key }) => key).join(' '),
    local: all.every(({ local }) => local === true),
    spaceId: main.spaceId,
    routes: { main, own },
    /** Lists the kits of the main space, followed by the kits with their own source in the order of option `kits`. */
    async kits(call) {
      const [listed, ...others] = await Promise.all([
        main.kits(call),
        ...[...own].map(async ([kit, space]) => ({
          ...(await space.kit(kit, 'use_versions', call)),
          versions: undefined,
        })),
      ])
      return [...listed.filter(({ uuid }) => !own.has(uuid)), ...others]
    },
    kit: (uuid, include, call) => of(uuid).kit(uuid, include, call),
    outline: (kit, version, call) => of(kit).outline(kit, version, call),
    // These calls don't name a kit. Callers that know the kit call its space directly, so a uuid alone belongs to the
    // main space.
    section: (uuid, version, call) => main.section(uuid, version, call),
    gallery: (item, version, call) => main.gallery(item, version, call),
    fields: (call) => main.fields(call),
    download: (asset, cut, receive, call) => of(asset.from?.kit).download(asset, cut, receive, call),
    async close() {
      await Promise.all(all.map((space) => space.close()))
    },
  }
}

import { svg, writeSpace, type SpaceFolder } from './space.js'

/**
 * Writes a space with a published kit `large`, with `asset-00000`, `asset-00001`, … in four sections. Because the
 * version doesn't change, a build with a lockfile doesn't send any requests.
 */
export function lockedSpace(count: number): Promise<SpaceFolder> {
  const files = Array.from({ length: count }, (_, index): [string, string] => {
    const section = Math.floor((index * 4) / count) + 1
    const name = `asset-${String(index).padStart(5, '0')}`
    return [`large/versions/1/0${section} Section ${section}/${name}.svg`, svg(name)]
  })
  return writeSpace({
    'large/kit.json': { use_version: 1, versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }] },
    'large/01 Draft/draft.svg': svg('draft'),
    ...Object.fromEntries(files),
  })
}

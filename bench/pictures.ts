import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createProject, readTree, type Project } from '../test/bundlers/driver.js'
import { serveSpace, writeSpace } from '../test/support/space.js'
import { runVite } from './builds.js'
import { inTurn, ratio, type Side } from './compare.js'
import { photographs } from './photographs.js'
import type { Row, Scale } from './report.js'

const counts = { full: 50, quick: 2 }
const widths = { full: '640;1280;1920', quick: '320;640' }
const rounds = { full: { cold: 3, warm: 7 }, quick: { cold: 1, warm: 1 } }

interface Contender {
  name: string
  project: Project
  /** The plugin's package, and the code that creates the plugin. */
  plugin: NonNullable<Parameters<typeof runVite>[2]>
  /** Paths that a warm build reuses and that are removed before a cold build. */
  kept: string[]
}

/**
 * Compares this plugin, which downloads over HTTP, with vite-imagetools, which reads local files: `vite build` of 50
 * photos in three widths and two formats.
 */
export async function comparePictures(formats: string, scale: Scale): Promise<Row[]> {
  const count = counts[scale]
  const photos = await photographs(count)
  const kit = {
    name: 'Photos',
    use_version: 1,
    versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }],
  }
  const space = await writeSpace({ 'photos/kit.json': kit, ...under('photos/versions/1/01 All', photos) })
  const served = await serveSpace(space.folder)
  const local = await writeSpace(under('photos', photos))
  const query = `w=${widths[scale]}&format=${formats}&as=picture`
  const ours = await createProject({
    'main.js': source(
      Object.keys(photos).map((file) => `content-space:asset/photos/${file.replace('.jpg', '')}?${query}`),
    ),
  })
  const theirs = await createProject({
    'main.js': source(Object.keys(photos).map((file) => `${local.folder}/photos/${file}?${query}`)),
  })
  const contenders: Contender[] = [
    {
      name: 'content-space',
      project: ours,
      plugin: [
        'unplugin-content-space',
        `plugin(${JSON.stringify({ ...served.options, cacheDir: join(ours.root, 'cache'), types: false })})`,
      ],
      kept: ['cache', 'content-space.lock.json'],
    },
    {
      name: 'imagetools',
      project: theirs,
      plugin: ['vite-imagetools', `plugin(${JSON.stringify({ cache: { dir: join(theirs.root, 'cache') } })})`],
      kept: ['cache'],
    },
  ]
  try {
    const measure = (temperature: 'cold' | 'warm') =>
      inTurn(
        `${formats}, ${temperature}`,
        contenders.map((contender) => built(temperature, contender, count, scale)),
        rounds[scale][temperature],
      )
    const [cold, warm] = [await measure('cold'), await measure('warm')]
    return [
      {
        work: `${count} photographs, ${formats.replace(';', ' and ').toUpperCase()}: cold; warm`,
        against: 'vite-imagetools 12, on local files',
        figures: [
          { ...ratio(cold, 'content-space', 'imagetools'), target: 0.8 },
          { ...ratio(warm, 'content-space', 'imagetools'), target: 0.6 },
        ],
      },
    ]
  } finally {
    await served.close()
    await Promise.all([space, local, ours, theirs].map((folder) => folder.remove()))
  }
}

function under(folder: string, files: Record<string, Buffer>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]))
}

function source(ids: string[]): string {
  const imports = ids.map((id, index) => `import p${index} from '${id}'\n`)
  return `${imports.join('')}console.log([${ids.map((_, index) => `p${index}`).join(', ')}])\n`
}

/** Builds in a separate process, as users do, and checks the number of emitted pictures. */
function built(temperature: 'cold' | 'warm', contender: Contender, count: number, scale: Scale): Side {
  const { name, project, plugin, kept } = contender
  return {
    name,
    async run() {
      const leftovers = temperature === 'cold' ? ['dist', ...kept] : ['dist']
      await Promise.all(leftovers.map((path) => rm(join(project.root, path), { recursive: true, force: true })))
      const usage = await runVite(project.root, 'main.js', plugin, {})
      const pictures = [...(await readTree(join(project.root, 'dist'))).keys()].filter((path) =>
        /\.(?:avif|webp|jpe?g)$/.test(path),
      )
      const expected = count * widths[scale].split(';').length * 2
      if (pictures.length !== expected) throw new Error(`${name}: ${pictures.length} pictures instead of ${expected}.`)
      return usage
    },
  }
}

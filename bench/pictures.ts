import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject, readTree, type Project } from '../test/bundlers/driver.js'
import { serveSpace, writeSpace } from '../test/support/space.js'
import { inTurn, ratio, type Side } from './compare.js'
import { photographs } from './photographs.js'
import { runScript } from './process.js'
import { printTable, ratioText, type Row, type Scale } from './report.js'

const counts = { full: 50, quick: 2 }
const widths = { full: '640;1280;1920', quick: '320;640' }
const rounds = { full: { cold: 3, warm: 7 }, quick: { cold: 1, warm: 1 } }

const imagetoolsConfig = fileURLToPath(new URL('pictures/imagetools.config.js', import.meta.url))

interface Contender {
  name: string
  project: Project
  /** Code that builds with Vite, in the folder of the project. */
  script: string
  /** Environment variables that the configuration reads. */
  env: Record<string, string>
  /** Paths that a warm build reuses, and that are removed before a cold one. */
  kept: string[]
}

/**
 * Compares this plugin, which downloads over HTTP, with vite-imagetools on local files: `vite build` of 50 photographs
 * in three widths and two formats.
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
  const { space: address, spaceId, token } = served.options
  const contenders: Contender[] = [
    {
      name: 'content-space',
      project: ours,
      script: `const { default: plugin } = await import('unplugin-content-space/vite')
        ${buildPictures('configFile: false, plugins: [plugin({ types: false })]')}`,
      env: {
        CONTENT_SPACE_URL: address,
        CONTENT_SPACE_ID: String(spaceId),
        CONTENT_SPACE_TOKEN: token,
        CONTENT_SPACE_CACHE: join(ours.root, 'cache'),
      },
      kept: ['cache', 'content-space.lock.json'],
    },
    {
      name: 'imagetools',
      project: theirs,
      script: buildPictures(`configFile: ${JSON.stringify(imagetoolsConfig)}`),
      env: { IMAGETOOLS_CACHE: join(theirs.root, 'cache') },
      kept: ['cache'],
    },
  ]
  try {
    const cold = await inTurn(
      contenders.map((contender) => built('cold', contender, count, scale)),
      rounds[scale].cold,
    )
    const warm = await inTurn(
      contenders.map((contender) => built('warm', contender, count, scale)),
      rounds[scale].warm,
    )
    const all = [...cold, ...warm]
    printTable([
      [`${formats}: this plugin`, 'ratio'],
      ['warm : vite-imagetools, warm', ratioText(ratio(all, 'warm content-space', 'warm imagetools'))],
      ['cold : warm', ratioText(ratio(all, 'cold content-space', 'warm content-space'))],
    ])
    return [
      {
        work: `${count} photographs, ${formats.replace(';', ' and ').toUpperCase()}, cold`,
        against: 'vite-imagetools with our sharp, on local files',
        figures: [{ now: ratio(all, 'cold content-space', 'cold imagetools'), target: 0.9 }],
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

function buildPictures(settings: string): string {
  return `const { build } = await import('vite')
    await build({ logLevel: 'warn', build: { rolldownOptions: { input: 'main.js' }, assetsInlineLimit: 0 }, ${settings} })`
}

/** Builds in a separate process, as users do, and checks the number of emitted pictures. */
function built(temperature: 'cold' | 'warm', contender: Contender, count: number, scale: Scale): Side {
  const { name, project, script, env, kept } = contender
  return {
    name: `${temperature} ${name}`,
    async run() {
      const leftovers = temperature === 'cold' ? ['dist', ...kept] : ['dist']
      await Promise.all(leftovers.map((path) => rm(join(project.root, path), { recursive: true, force: true })))
      const usage = await runScript(script, { cwd: project.root, env })
      const pictures = [...(await readTree(join(project.root, 'dist'))).keys()].filter((path) =>
        /\.(?:avif|webp|jpe?g)$/.test(path),
      )
      const expected = count * widths[scale].split(';').length * 2
      if (pictures.length !== expected) throw new Error(`${name}: ${pictures.length} pictures instead of ${expected}.`)
      return usage
    },
  }
}

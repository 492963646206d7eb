import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listCache } from '../src/commands/cache/run.js'
import { startRedis } from '../test/remote/support/engines.js'
import { createProject, readTree, type Project } from '../test/bundlers/driver.js'
import { writeSpace } from '../test/support/space.js'
import { runBuild } from './builds.js'
import { inTurn, ratio, type Usage } from './compare.js'
import { photographs } from './photographs.js'
import { cli, runNode } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const counts = { full: 50, quick: 4 }
const rounds = { full: 9, quick: 1 }
const lockName = 'content-space.lock.json'

/**
 * Compares a build on a new machine, after the update bot has run `sync --convert`, with a build of the same pictures
 * from disk. The machine has a complete lockfile and an empty cache, and Redis runs on the same machine.
 */
export async function compareUpdateBot(scale: Scale): Promise<Row[]> {
  const count = counts[scale]
  const photos = await photographs(count)
  const names = Object.keys(photos).map((name) => name.replace('.jpg', ''))
  const inVersion = Object.entries(photos).map(([name, bytes]) => [`photos/versions/1/All/${name}`, bytes])
  const space = await writeSpace({
    'space.json': { space_id: 7, name: 'Bench' },
    'photos/kit.json': { name: 'Photos', use_version: 1, versions: [{ version: 1, folder: 'versions/1' }] },
    ...Object.fromEntries(inVersion),
  })
  const service = await startService(space.folder, 0)
  const engine = await startRedis()
  const projects: Project[] = []
  const newProject = async (files: Record<string, string>): Promise<Project> => {
    const project = await createProject(files)
    projects.push(project)
    return project
  }
  try {
    const source = importing(names.map((name) => `content-space:asset/photos/${name}?w=1280&format=avif&url`))
    const cache = { CONTENT_SPACE_REMOTE: engine.remote, CONTENT_SPACE_REMOTE_KEY: 'a-key-for-the-benchmark-of-caches' }
    const bot = await newProject({ 'main.js': source })
    await convert(bot, service, { ...cache, CONTENT_SPACE_REMOTE_WRITE: '1' })
    const lock = await readFile(join(bot.root, lockName), 'utf8')
    const disk = await newProject({ 'main.js': importing(names.map((_, at) => `./picture-${at}.avif?url`)) })
    const elsewhere = async (): Promise<Usage & Pick<Project, 'root'>> => {
      const machine = await newProject({ 'main.js': source, [lockName]: lock })
      const cacheDir = join(machine.root, 'cache')
      const options = { ...service.options, cacheDir, types: false, rateLimit: false }
      const usage = await runBuild('vite', machine.root, 'main.js', options, cache)
      const { entries } = await listCache(cacheDir)
      // A conversion would need its original.
      if (entries.some(({ kind }) => kind === 'original')) throw new Error('The build has converted pictures.')
      await checkOutput(machine, count)
      return { ...usage, root: machine.root }
    }
    const { root } = await elsewhere()
    const made = [...(await readTree(join(root, 'dist/assets')))].filter(([name]) => name.endsWith('.avif'))
    await Promise.all(made.map(([, bytes], at) => writeFile(join(disk.root, `picture-${at}.avif`), bytes)))
    const fromDisk = async (): Promise<Usage> => {
      await rm(join(disk.root, 'dist'), { recursive: true, force: true })
      const usage = await runBuild('vite', disk.root, 'main.js')
      await checkOutput(disk, count)
      return usage
    }
    const sides = [
      { name: 'content-space', run: elsewhere },
      { name: 'disk', run: fromDisk },
    ]
    const measured = await inTurn('after the update bot', sides, rounds[scale], true)
    return [
      {
        work: `build after the update bot, ${count} AVIF, empty local cache, no conversion`,
        against: 'a build of the pictures from disk',
        figures: [{ ...ratio(measured, 'content-space', 'disk'), target: 1.15 }],
      },
    ]
  } finally {
    service.stop()
    await Promise.all([space, ...projects].map((one) => one.remove()))
    await engine.stop()
  }
}

function importing(ids: string[]): string {
  const imports = ids.map((id, at) => `import p${at} from '${id}'\n`)
  return `${imports.join('')}console.log([${ids.map((_, at) => `p${at}`).join(', ')}])\n`
}

async function convert({ root }: Project, { options }: Service, cache: Record<string, string>): Promise<void> {
  const { space, spaceId, token } = options
  const env = { CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token, ...cache }
  await runNode([cli(), 'sync', '--convert', '--cache-dir', join(root, 'cache')], { cwd: root, env })
}

async function checkOutput({ root }: Project, count: number): Promise<void> {
  const pictures = (await readdir(join(root, 'dist/assets'))).filter((name) => name.endsWith('.avif'))
  if (pictures.length !== count) throw new Error(`The build has written ${pictures.length} pictures.`)
}

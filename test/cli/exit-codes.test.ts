import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soon } from '../support/long.js'
import { project, type Project } from '../support/cli.js'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let work: Project
/** A project whose configuration names a space that doesn't exist. */
let broken: Project
/** A project whose service doesn't respond while a test runs. */
let slow: Project
let service: ServedSpace

const source = "import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo.src)\n"
const config = (options: object): string => JSON.stringify({ ...options, kits: { brand: brand.uuid, icons: 'icons' } })

beforeAll(async () => {
  space = await richSpace()
  // Used by `tokens`.
  await space.write({ 'icons/Colors/coral.json': { color: '#e5603f' } })
  service = await serveSpace(space.folder, { latency: 60_000 })
  const files = { 'src/main.js': source, 'package.json': '{}' }
  work = await project({ ...files, 'content-space.config.json': config({ space: space.folder }) })
  broken = await project({ ...files, 'content-space.config.json': config({ space: './nowhere' }) })
  slow = await project({ ...files, 'content-space.config.json': config(service.options) })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await service.close()
  await Promise.all([work, broken, slow, space].map((folder) => folder.remove()))
})

/** Arguments with which a command works, and arguments that it rejects. */
const commands: Record<string, { args: string[]; wrong: string[] }> = {
  sync: { args: [], wrong: ['--nonsense'] },
  pull: { args: ['brand', '--out', 'content'], wrong: ['brand'] },
  tokens: { args: ['icons', '--out', 'tokens.css'], wrong: ['brand', '--out', 'tokens.exe'] },
  update: { args: [], wrong: ['--nonsense'] },
  diff: { args: ['brand', '--from', 'draft'], wrong: ['--from', 'yesterday'] },
  verify: { args: [], wrong: ['--nonsense'] },
  ls: { args: ['brand'], wrong: ['--versions'] },
  catalog: { args: ['brand'], wrong: ['--limit', 'many'] },
  mirror: { args: ['brand', '--out', 'mirror'], wrong: ['brand'] },
  browse: { args: ['--out', 'site'], wrong: ['--out', 'site', '--port', '1'] },
}
describe.each(Object.entries(commands))('%s', (command, { args, wrong }) => {
  test('ends with 0 when it is done', async () => {
    expect(await work.run(command, ...args)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
  })

  test('ends with 1 when it fails, and with an error that has a code', async () => {
    const { code, stdout, stderr } = await broken.run(command, ...args)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^error\[\w+\]: /) })
  })

  test('ends with 2 when it is used in a wrong way', async () => {
    expect(await work.run(command, ...wrong)).toMatchObject({ code: 2, stdout: '' })
  })

  test('ends with 130 when it is interrupted', async () => {
    const before = service.requests.length
    const started = slow.start(command, ...args)
    await expect.poll(() => service.requests.length, soon).toBeGreaterThan(before)
    started.kill('SIGINT')
    expect(await started.ended).toMatchObject({ code: 130 })
  })
})

test.each([
  ['init', ['--space', '.']],
  ['cache', ['ls']],
  ['serve', ['--help']],
])('%s ends with 0 when it is done, and with 2 when it is used in a wrong way', async (command, args) => {
  const alone = await project({ 'package.json': '{}' })
  expect(await alone.run(command, ...args)).toMatchObject({ code: 0 })
  expect(await alone.run(command, '--nonsense')).toMatchObject({ code: 2 })
  await alone.remove()
})

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepEngine } from '../../../../src/commands/mcp/kept-engine.js'
import { openTerminal } from '../../../../src/cli/main.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../../../support/space.js'

let space: SpaceFolder
let service: ServedSpace
let root: string
beforeEach(async () => {
  space = await writeSpace({
    'brand/kit.json': { name: 'Brand', use_version: 1, versions: [{ version: 1, folder: '1' }] },
    'brand/1/Logos/logo.svg': svg('logo'),
    'brand/Logos/logo.svg': svg('logo'),
  })
  service = await serveSpace(space.folder)
  root = await mkdtemp(join(tmpdir(), 'content-space-kept-'))
  await configure({})
  return async () => {
    await rm(root, { recursive: true, force: true })
    await service.close()
    await space.remove()
  }
})

const configure = (options: object) => writeFile(join(root, 'content-space.config.json'), JSON.stringify(options))

let kept: ReturnType<typeof keepEngine>
afterEach(() => kept.close())

function keep(env: Record<string, string>): ReturnType<typeof keepEngine> {
  const stream = { write: () => true }
  const { signal } = new AbortController()
  const all = { ...env, CONTENT_SPACE_CACHE: join(root, '.cache') }
  return keepEngine(openTerminal({ stdout: stream, stderr: stream, env: all, cwd: root, signal }), {})
}

const itself = async (engine: Engine) => engine
const assetsOf = async ({ catalog }: Engine) =>
  Object.values((await catalog.load({ kit: 'brand', version: 'use' })).kit.assets).map(({ name }) => name)

const draft = async ({ catalog }: Engine) =>
  Object.values((await catalog.load({ kit: 'brand', version: 0 })).kit.assets)
    .map(({ name }) => name)
    .toSorted()

test('a process loads a kit once, until the options or the lockfile change', async () => {
  kept = keep(service.env)
  const [first, same] = await Promise.all([kept.use(itself), kept.use(itself)])
  expect(same).toBe(first)
  expect(await kept.use(assetsOf)).toEqual(['Logo'])
  const requests = service.requests.length
  expect(await kept.use(assetsOf)).toEqual(['Logo'])
  expect(service.requests.length).toBe(requests)
  await configure({ strict: true })
  const other = await kept.use(itself)
  expect([other === first, other.options.strict]).toEqual([false, true])
  await writeFile(join(root, 'content-space.lock.json'), '{ "lockfileVersion": 1, "kits": {} }')
  expect(
    await kept.use(itself).then(
      (engine) => engine === other,
      () => false,
    ),
  ).toBe(false)
})

test('an engine that is replaced works to its end', async () => {
  kept = keep(service.env)
  const gate = new AbortController()
  const found = kept.use(async (engine) => {
    if (!gate.signal.aborted) await once(gate.signal, 'abort')
    return assetsOf(engine)
  })
  await kept.use(itself)
  await configure({ strict: true })
  await kept.use(itself)
  gate.abort()
  expect(await found).toEqual(['Logo'])
})

test('follows a folder', async () => {
  kept = keep({ CONTENT_SPACE_URL: space.folder })
  expect(await kept.use(draft)).toEqual(['Logo'])
  const first = await kept.use(itself)
  await space.write({ 'brand/Logos/mark.svg': svg('mark') })
  expect(await kept.use(draft)).toEqual(['Logo', 'Mark'])
  expect(await kept.use(itself)).toBe(first)
})

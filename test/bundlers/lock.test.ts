import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import contentSpaceVite from 'unplugin-content-space/vite'
import { createServer } from 'vite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { createImporter } from '../../src/importer.js'
import type { Options } from '../../src/config/options.js'
import { faultServer, type FaultServer } from '../support/fault-server.js'
import { serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { startVite } from './development.js'
import { build, createProject, type Driver, type Output, type Project } from './driver.js'
import { drivers } from './drivers/all.js'
import { rolldownDriver } from './drivers/rolldown.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const uuid = (number: number): string => `237C41F2-AAAA-4BBB-8CCC-${String(number).padStart(12, '0')}`
const main = `import { acmeLogo } from 'content-space:kit/brand@draft'
import hero from 'content-space:asset/brand@draft/hero-photo'
console.log(JSON.stringify([acmeLogo, hero]))\n`

let space: SpaceFolder
let service: ServedSpace
let project: Project
let edits = 0

beforeEach(async () => {
  space = await writeSpace({ 'space.json': { space_id: 7 }, ...draft({ 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Spare' }) })
  service = await serveSpace(space.folder)
  project = await createProject({ 'main.js': main })
  process.chdir(project.root)
})
afterEach(async () => {
  await service.close()
  await Promise.all([space.remove(), project.remove()])
})

/** Returns a later date with each call. */
function date(): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, ++edits)).toISOString().replace('T', ' ').replace('Z', '000+0000')
}

/** Returns the files of a draft whose assets are in this order, with a later date than before. */
function draft(names: Record<number, string>, order = Object.keys(names)): Files {
  const files = Object.entries(names).flatMap(([number, name]): [string, string | object][] => [
    [`brand/Logos/${number}.svg`, svg(number)],
    [`brand/Logos/${number}.json`, { uuid: uuid(Number(number)), name }],
  ])
  const section = { uuid: uuid(90), items: order.map((number) => `${number}.svg`) }
  return {
    'brand/kit.json': { uuid: kit, name: 'Brand', date_updated: date() },
    'brand/Logos/section.json': section,
    ...Object.fromEntries(files),
  }
}

// Rollup and Rolldown always use the working directory as root.
const home = process.cwd()
afterEach(() => process.chdir(home))

const options = () => ({ ...service.options, cacheDir: join(project.root, '.cache'), types: 'content-space.d.ts' })
const written = () =>
  Promise.all(
    ['content-space.lock.json', 'content-space.d.ts'].map((file) => readFile(join(project.root, file), 'utf8')),
  )
const builtWith = async (driver: Driver, more: Options = {}): Promise<unknown> =>
  (await build(driver, project, { ...options(), ...more })).run()

describe('imports keep their assets after a change in the service', () => {
  test.each([
    ['a rename', draft({ 1: 'Corp Logo', 2: 'Big Photo', 3: 'Spare' })],
    ['a namesake', draft({ 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Acme Logo', 4: 'hero photo' })],
    ['names that change places', draft({ 1: 'Hero Photo', 2: 'Acme Logo', 3: 'Spare' })],
    ['another order', draft({ 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Spare' }, ['3', '2', '1'])],
  ])('%s', async (_, change) => {
    const same = [uuid(1), uuid(2)].map((asset) => expect.objectContaining({ uuid: asset }))
    expect(await builtWith(rolldownDriver)).toEqual(same)
    await space.write(change)
    expect(await builtWith(rolldownDriver)).toEqual(same)
    expect(await builtWith(rolldownDriver)).toEqual(same)
  })

  test('rejects the import of an asset that was removed from the draft', async () => {
    await builtWith(rolldownDriver)
    const lock = await written()
    await space.write({ ...draft({ 2: 'Hero Photo' }), 'brand/Logos/1.json': { uuid: uuid(8), name: 'Another' } })
    await expect(builtWith(rolldownDriver)).rejects.toThrow('acmeLogo is no longer in kit Brand (draft).')
    expect(await written()).toEqual(lock)
  })
})

test('every bundler writes the same lock and declarations', async () => {
  await builtWith(rolldownDriver)
  const expected = await written()
  for (const driver of drivers) {
    const other = await createProject({ 'main.js': main })
    process.chdir(other.root)
    const own = { ...service.options, cacheDir: join(other.root, '.cache'), types: 'content-space.d.ts' }
    await build(driver, other, own)
    const files = ['content-space.lock.json', 'content-space.d.ts'].map((file) =>
      readFile(join(other.root, file), 'utf8'),
    )
    expect(await Promise.all(files), driver.name).toEqual(expected)
    await other.remove()
  }
})

/** Publishes the kit as a version, and sets `use` to that version. */
async function publish(names: Record<number, string>, version = 1): Promise<void> {
  const { 'brand/kit.json': json, ...files } = draft(names)
  const versions = Array.from({ length: version }, (_, index) => ({
    version: index + 1,
    version_identifier: `${index + 1}.0`,
    folder: `versions/${index + 1}`,
  }))
  await space.write({ 'brand/kit.json': { ...Object(json), use_version: version, versions } })
  await space.write(
    Object.fromEntries(
      Object.entries(files).map(([path, file]) => [path.replace('brand/', `brand/versions/${version}/`), file]),
    ),
  )
}

test("a warm build of a locked snapshot doesn't open sockets, and gives the same result in every bundler", async () => {
  await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
  await project.write({ 'main.js': main.replaceAll('@draft', '') })
  const fresh = async (driver: Driver): Promise<Output['files']> => {
    await rm(join(project.root, 'dist'), { recursive: true, force: true })
    return (await build(driver, project, options())).files
  }
  const cold = new Map<string, Output['files']>()
  for (const driver of drivers) cold.set(driver.name, await fresh(driver))
  const before = await written()
  await service.close()
  const sockets: unknown[] = []
  const opened = (socket: unknown) => void sockets.push(socket)
  diagnostics.subscribe('net.client.socket', opened)
  for (const driver of drivers) {
    expect(await fresh(driver), driver.name).toEqual(cold.get(driver.name))
  }
  diagnostics.unsubscribe('net.client.socket', opened)
  expect(sockets).toEqual([])
  expect(await written()).toEqual(before)
})

test('the lock, the declarations and the output do not depend on the order of responses', async () => {
  const kits = Object.fromEntries(
    ['one', 'two', 'three'].flatMap((name) =>
      [1, 2, 3].map((number) => [`${name}/Section ${number}/${name}-${number}.svg`, svg(`${name}${number}`)]),
    ),
  )
  await space.write({
    ...kits,
    'two/Section 1/same.svg': svg('a'),
    'two/Section 2/Same.svg': svg('b'),
    'two/Section 3/SAME.svg': svg('c'),
  })
  const imports = ['one', 'two', 'three'].map((name) => `import * as ${name} from 'content-space:kit/${name}'`)
  const sources = { 'main.js': `${main}\n${imports.join('\n')}\nconsole.log(one, two, three)` }
  const results: unknown[] = []
  for (const seed of [1, 2, 3]) {
    const mixed = await mixOrder(service, seed)
    const other = await createProject(sources)
    process.chdir(other.root)
    const output = await build(rolldownDriver, other, {
      ...options(),
      space: mixed.url,
      lockfile: 'lock.json',
      cacheDir: join(other.root, '.cache'),
    })
    results.push([
      output.files,
      ...(await Promise.all(
        ['lock.json', 'content-space.d.ts'].map((file) => readFile(join(other.root, file), 'utf8')),
      )),
    ])
    await mixed.close()
    await other.remove()
  }
  expect(results[1]).toEqual(results[0])
  expect(results[2]).toEqual(results[0])
})

const frozen = () => ({ ...options(), frozen: true })
const icons = (name: string): Files => ({
  'icons/kit.json': { uuid: uuid(80), name: 'Icons', date_updated: date() },
  'icons/All/a.svg': svg('a'),
  'icons/All/a.json': { uuid: uuid(81), name },
})
const importing = (name: string) => ({
  'main.js': `import { ${name} } from 'content-space:kit/brand'; console.log(JSON.stringify(${name}))`,
})

describe('frozen', () => {
  test('rejects a change of the lock and lists the differences of every kit, without writing anything', async () => {
    await space.write(icons('Arrow'))
    await project.write({
      'main.js': `${main}import { arrow } from 'content-space:kit/icons@draft'; console.log(arrow)`,
    })
    await build(rolldownDriver, project, options())
    const before = await written()
    await space.write({ ...icons('Pointer'), ...draft({ 1: 'Corp Logo', 2: 'Hero Photo', 3: 'Spare' }) })
    for (const driver of drivers) {
      const failure = build(driver, project, frozen()).then(() => 'built', String)
      expect(await failure, driver.name).toContain('asset acmeLogo (acme-logo) is now called corpLogo (corp-logo)')
      expect(await failure, driver.name).toContain('kit icons: asset arrow (arrow) is now called pointer (pointer)')
      expect(await written(), driver.name).toEqual(before)
    }
  })

  test('rejects another asset of a locked kit, and names the import and the next step', async () => {
    await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
    await project.write(importing('acmeLogo'))
    await build(rolldownDriver, project, options())
    const [lock] = await written()
    await project.write(importing('heroPhoto'))
    service.requests.length = 0
    const failure = await build(rolldownDriver, project, frozen()).then(() => 'built', String)
    expect(failure).toMatch(/content-space:kit\/brand \(main\.js:1\): .* is not in the lockfile[^]*content-space sync/)
    expect(service.requests).toEqual([])
    expect((await written())[0]).toBe(lock)
  })

  test('is the default in CI if a lock exists', async () => {
    await build(rolldownDriver, project, options())
    await space.write(draft({ 1: 'Corp Logo', 2: 'Hero Photo', 3: 'Spare' }))
    vi.stubEnv('CI', 'true')
    await expect(build(rolldownDriver, project, options())).rejects.toThrow('The lockfile is frozen')
    vi.unstubAllEnvs()
  })
})

test('rejects an original that differs from the lock, names both hashes, and keeps the lock', async () => {
  await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
  await project.write({ 'main.js': main.replaceAll('@draft', '') })
  await build(rolldownDriver, project, options())
  const before = await written()
  const [, locked] = /"acmeLogo".*?(sha256-[^"]+)/.exec(before[0] ?? '') ?? []
  await space.write({ 'brand/versions/1/Logos/1.svg': svg('7'), 'brand/Logos/1.svg': svg('7') })
  const failure = await build(rolldownDriver, project, {
    ...options(),
    cacheDir: join(project.root, '.other-cache'),
  }).catch(String)
  expect(failure).toContain(locked)
  expect(failure).toContain(`sha256-${createHash('sha256').update(svg('7')).digest('base64')}`)
  expect(failure).toContain('content-space update')
  expect(await written()).toEqual(before)
})

test('rejects the lock of another space, and does not change it', async () => {
  await builtWith(rolldownDriver)
  const before = await written()
  const other = await serveSpace(space.folder, { spaceId: 8 })
  const failure = build(rolldownDriver, project, { ...options(), ...other.options }).then(() => 'built', String)
  expect(await failure).toContain('is the lockfile of space 7, but this project uses space 8')
  await other.close()
  expect(await written()).toEqual(before)
})

test('locks `use` and an exact version separately, and keeps both when `use` changes', async () => {
  await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
  await publish({ 1: 'Corp Logo', 2: 'Hero Photo' }, 2)
  const both = `import { corpLogo } from 'content-space:kit/brand'\nimport { acmeLogo } from 'content-space:kit/brand@1'\nconsole.log(JSON.stringify([corpLogo.name, acmeLogo.name]))`
  await project.write({ 'main.js': both })
  expect(await builtWith(rolldownDriver)).toEqual(['Corp Logo', 'Acme Logo'])
  await publish({ 1: 'New Logo', 2: 'Hero Photo' }, 3)
  expect(await builtWith(rolldownDriver)).toEqual(['Corp Logo', 'Acme Logo'])
})

/** Prints the names and numbers of assets in versions. */
const printing = (...versions: number[]) => ({
  'main.js': `${versions.map((one) => `import * as kit${one} from 'content-space:kit/brand@${one}'`).join('\n')}
const names = (all) => Object.entries(all).flatMap(([name, { uuid }]) => (name === 'default' ? [] : [name + uuid.slice(-1)]))
console.log(JSON.stringify([${versions.map((one) => `names(kit${one})`).join()}]))`,
})

describe('versions of which one has an asset that was uploaded again, and one that was renamed', () => {
  beforeEach(async () => {
    await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
    await publish({ 3: 'Acme Logo', 2: 'Big Photo' }, 2)
  })
  const own = [
    ['acmeLogo1', 'heroPhoto2'],
    ['acmeLogo3', 'bigPhoto2'],
  ]

  test('have their own names, no matter which is imported first, and keep them', async () => {
    for (const driver of drivers) {
      await project.write(printing(2, 1))
      await rm(join(project.root, 'content-space.lock.json'), { force: true })
      expect(await builtWith(driver), driver.name).toEqual(own.toReversed())
      expect(await builtWith(driver, { frozen: true }), driver.name).toEqual(own.toReversed())
    }
  })

  test("are locked even if the scan doesn't find an import, until sync drops what only builds use", async () => {
    const unscanned = { ...options(), scan: ['none/*.js'] }
    await project.write(printing(1, 2))
    expect(await builtWith(rolldownDriver, unscanned)).toEqual(own)
    expect(await builtWith(rolldownDriver, { ...unscanned, frozen: true })).toEqual(own)
    const locked = () => readFile(join(project.root, 'content-space.lock.json'), 'utf8')
    expect(await locked()).toContain('"by":"build"')
    const syncing = await createImporter(unscanned, { root: project.root })
    await syncing.sync()
    expect(await locked()).toContain('"by":"build"')
    await syncing.sync({ prune: true })
    await syncing.close()
    expect(await locked()).not.toContain('"versions"')
  })

  test('give a version that is imported later the names that its assets already have', async () => {
    await project.write(printing(1))
    await builtWith(rolldownDriver)
    await project.write(printing(1, 2))
    expect(await builtWith(rolldownDriver)).toEqual([own[0], ['acmeLogo3', 'bigPhoto2', 'heroPhoto2']])
  })
})

test('locks an exact version that is also `use`, and accepts it frozen without `use`', async () => {
  await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
  const exact = `import { acmeLogo } from 'content-space:kit/brand@1'
console.log(JSON.stringify([acmeLogo.name]))`
  await project.write({
    'main.js': `import { heroPhoto } from 'content-space:kit/brand'
${exact}
heroPhoto.name`,
  })
  await builtWith(rolldownDriver)
  expect((await written())[0]).toContain('"use": 1,')
  await project.write({ 'main.js': exact })
  expect(await builtWith(rolldownDriver, { frozen: true })).toEqual(['Acme Logo'])
})

test('`update` in another process reloads the page of a dev server', async () => {
  await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
  await project.write({ 'main.js': `export { acmeLogo } from 'content-space:kit/brand'` })
  const server = await createServer({
    root: project.root,
    configFile: false,
    logLevel: 'silent',
    plugins: [contentSpaceVite(options())],
    server: { host: '127.0.0.1', port: 0 },
  })
  try {
    await server.listen()
    const { client } = server.environments
    /** Requests the script and then its imports, as a browser does. */
    const shown = async () => {
      const { code = '' } = (await client.transformRequest('/main.js')) ?? {}
      const [, kitModule = ''] = /from "([^"]+)"/.exec(code) ?? []
      return (await client.transformRequest(kitModule.replace('/@id/__x00__', '\0')))?.code
    }
    expect(await shown()).toContain('Acme Logo')
    await vi.waitFor(async () => expect((await written())[0]).toContain('"use": 1,'), soon)
    const send = vi.spyOn(client.hot, 'send')
    await publish({ 1: 'Corp Logo', 2: 'Hero Photo' }, 2)
    const other = await createImporter(options(), { root: project.root }, { rename: false })
    await other.sync()
    await other.close()
    // The first write of the lockfile also makes the server check for new content. Because a date has changed, the
    // server reloads the page, although the content is the same.
    const shownAnew = async () => {
      expect(send).toHaveBeenCalledWith(expect.objectContaining({ type: 'full-reload' }))
      send.mockClear()
      expect(await shown()).toContain('Corp Logo')
    }
    await vi.waitFor(shownAnew, soon)
  } finally {
    await server.close()
  }
  expect((await written())[0]).toContain('"use": 2,')
})

test('both sides of a merge in the lockfile never bring an older version back', async () => {
  const path = join(project.root, 'content-space.lock.json')
  await publish({ 1: 'Acme Logo', 2: 'Hero Photo' })
  await project.write({
    'main.js': `import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(JSON.stringify(acmeLogo.name))`,
  })
  expect(await builtWith(rolldownDriver)).toBe('Acme Logo')
  const [older = ''] = await written()
  await publish({ 1: 'Corp Logo', 2: 'Hero Photo' }, 2)
  const update = async () => {
    const updating = await createImporter(options(), { root: project.root }, { rename: false })
    const report = await updating.sync()
    await updating.close()
    return report
  }
  await update()
  const [newer = ''] = await written()
  const markers = `<<<<<<< ours\n${newer}=======\n${older}>>>>>>> theirs\n`
  const lines = newer.replace('"use": 2,\n', '"use": 2,\n      "use": 1,\n')
  for (const text of [markers, lines]) {
    await writeFile(path, text)
    await expect(builtWith(rolldownDriver, { frozen: true })).rejects.toThrow(
      /contains (merge conflict|the lines of both)/,
    )
    expect(await readFile(path, 'utf8')).toBe(text)
    const output = await build(rolldownDriver, project, options())
    expect(await output.run()).toBe('Corp Logo')
    expect(output.log).toMatch(/both sides of a merge.*\n.*kit brand: use is version 2, and not 1/)
    expect((await written())[0]).toMatch(/"use": 2,\n[^<]*$/)
    await writeFile(path, text)
    expect((await update()).warnings.join()).toContain('both sides of a merge')
    expect((await written())[0]).toBe(newer)
  }
  const { server, log, get } = await startVite(project.root, options())
  try {
    expect((await get('/main.js')).status).toBe(200)
    await writeFile(path, markers)
    await vi.waitFor(async () => expect((await written())[0]).not.toContain('<<<'), soon)
    const report = /both sides of a merge.*\n.*kit brand: use is version 2, and not 1/
    await vi.waitFor(() => expect(log()).toMatch(report), soon)
  } finally {
    await server.close()
  }
})

describe('processes', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const script = `
    import { rolldown } from 'rolldown'
    import contentSpace from 'unplugin-content-space/rolldown'
    const { input, dir, root, options } = JSON.parse(process.argv[1])
    const bundle = await rolldown({ cwd: root, input, plugins: [contentSpace(options)], onLog() {} })
    await bundle.write({ dir })
    await bundle.close()
  `
  const start = (entry: string, more: Options = {}) => {
    const input = JSON.stringify({
      root: project.root,
      input: join(project.root, entry),
      dir: join(project.root, 'out', entry),
      options: { ...options(), ...more },
    })
    return spawn(process.execPath, ['--input-type=module', '--eval', script, input], { cwd, stdio: 'ignore' })
  }

  test('concurrent builds lock the assets of each build', async () => {
    const names = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [index + 1, `Asset ${index + 1}`]))
    await space.write(draft(names))
    const entries = Object.keys(names).map((number) => `entry${number}.js`)
    await project.write(
      Object.fromEntries(
        entries.map((entry, index) => [
          entry,
          `import { asset${index + 1} } from 'content-space:kit/brand@draft'; console.log(asset${index + 1}.src)`,
        ]),
      ),
    )
    const codes = await Promise.all(
      entries.map((entry) => once(start(entry, { types: false }), 'exit').then(([code]: unknown[]) => code)),
    )
    expect(codes).toEqual(entries.map(() => 0))
    const lock = await readFile(join(project.root, 'content-space.lock.json'), 'utf8')
    expect(lock.match(/"files":\{"original":"sha256-/g)).toHaveLength(6)
  })

  test('a killed build leaves either a complete lock or no lock, and the next build succeeds', async () => {
    for (const milliseconds of [150, 250, 300, 350, 400, 450, 550, 700]) {
      const child = start('main.js')
      const exit = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
      await exit
      clearTimeout(timer)
      const text = await readFile(join(project.root, 'content-space.lock.json'), 'utf8').catch(() => '{}')
      expect(() => void JSON.parse(text)).not.toThrow()
    }
    expect(await builtWith(rolldownDriver)).toEqual([
      expect.objectContaining({ uuid: uuid(1) }),
      expect.objectContaining({ uuid: uuid(2) }),
    ])
    expect((await written())[0]).toContain('"name":"acmeLogo"')
  })
})

/** Starts a proxy for the service that delays each response, depending on the seed. */
async function mixOrder({ url }: { url: string }, seed: number): Promise<FaultServer> {
  return faultServer((response, { url: path = '/', headers }, at) => {
    const wait = ((at + 1) * seed * 7919) % 60
    setTimeout(() => {
      request(
        new URL(path, url),
        { headers: { authorization: headers.authorization, accept: headers.accept } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      ).end()
    }, wait)
  })
}

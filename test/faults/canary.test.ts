import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { project } from '../support/cli.js'
import {
  assetItem,
  contentService,
  headingItem,
  kitUuid,
  logo,
  upload,
  type ServiceContent,
} from '../support/content-service.js'
import { answer, faultServer, refusal, type FaultServer, type Respond } from '../support/fault-server.js'
import { halves } from '../support/pictures.js'
import { holdsSecret, secret, spellings } from '../support/secret.js'
import { brand, richSpace, serveSpace, type ServedSpace } from '../support/space.js'
import { leaksIn } from './bench.js'

const { token: canary, spaceId } = secret

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

function from(name: string): string {
  return JSON.stringify(import.meta.resolve(name))
}

/**
 * Returns the source of a build script for a separate process. In watch mode, it also writes snapshots, and ends after
 * the first build.
 */
function buildScript(kit: string, watch: boolean): string {
  return `import { inspect } from 'node:util'
import { build } from ${from('vite')}
import contentSpace from ${from('unplugin-content-space/vite')}
const plugin = contentSpace({ kits: { brand: '${kit}' }, lockfile: 'lock.json', types: 'types.d.ts', onProgress: console.log })
try {
  const result = await build({ root: '.', configFile: false, logLevel: 'info', clearScreen: false, plugins: [plugin],
    build: { sourcemap: true, manifest: true, watch: ${watch ? '{}' : 'null'}, rolldownOptions: { input: 'main.js', preserveEntrySignatures: 'strict' } } })
  if (${String(watch)}) {
    await new Promise((resolve, reject) => result.on('event', ({ code, error }) => (code === 'END' ? resolve() : code === 'ERROR' ? reject(error) : undefined)))
    await result.close()
    process.exit()
  }
} catch (error) {
  console.error(inspect(error, { depth: 12, showHidden: true }), error.stack, JSON.stringify(error))
  process.exitCode = 1
}
`
}

/** Runs one verbose build in a separate process, with the token in its environment. */
async function build(
  space: string,
  code: string,
  { kit = brand.uuid, watch = false } = {},
): Promise<{ status: number | null; leaks: string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-canary-'))
  cleanups.push(() => rm(root, { recursive: true, force: true }))
  await writeFile(join(root, 'main.js'), code)
  await writeFile(join(root, 'build.mjs'), buildScript(kit, watch))
  const child = spawn(process.execPath, ['build.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      CI: '',
      DEBUG: '*',
      CONTENT_SPACE_URL: space,
      CONTENT_SPACE_ID: String(spaceId),
      CONTENT_SPACE_TOKEN: canary,
      CONTENT_SPACE_CACHE: join(root, 'cache'),
    },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  const status = await ended
  return { status, leaks: [...printed.flatMap(linesWithSecret), ...(await leaksIn(root))] }
}

const linesWithSecret = (printed: string): string[] =>
  printed
    .split('\n')
    .filter(holdsSecret)
    .map((line) => `prints ${line.slice(0, 200)}`)

/**
 * Runs commands in sequence in one project.
 * @returns the commands that failed, and where the token was found
 */
async function commands(space: string, ...all: string[][]): Promise<{ failed: string[]; leaks: string[] }> {
  const config = JSON.stringify({ kits: { brand: kitUuid }, metadata: 'full' })
  const env = { CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: canary, DEBUG: '*' }
  const work = await project({ 'content-space.config.json': config, 'main.ts': whole }, env)
  cleanups.push(() => work.remove())
  const [failed, leaks]: [string[], string[]] = [[], []]
  for (const args of all) {
    const { code, stdout, stderr } = await work.runProcess(...args)
    if (code !== 0) failed.push(`${args.join(' ')}: ${stderr}`)
    leaks.push(...[stdout, stderr].flatMap(linesWithSecret))
  }
  return { failed, leaks: [...leaks, ...(await leaksIn(work.root))] }
}

async function serve(): Promise<ServedSpace> {
  const folder = await richSpace()
  const served = await serveSpace(folder.folder, { spaceId, token: canary })
  cleanups.push(
    () => folder.remove(),
    () => served.close(),
  )
  return served
}

async function misbehave(respond: Respond): Promise<FaultServer> {
  const server = await faultServer(respond)
  cleanups.push(server.close)
  return server
}

const whole = `import brand from 'content-space:kit/brand?metadata=full'\nexport default brand\n`
/** Imports that also read, convert, and inline files. */
const everything = `${whole}export { default as small } from 'content-space:section/brand/logos?w=16&format=webp&placeholder=blur'
export { default as inline } from 'content-space:section/brand/logos?inline'\n`

describe('no file or output of a build contains the token', () => {
  test.each([
    ['once', false],
    ['as files change', true],
  ])('when it runs %s', async (_, watch) => {
    const { url } = await serve()
    expect(await build(url, whole, { watch })).toEqual({ status: 0, leaks: [] })
  })

  test('when the address contains it', async () => {
    const { url } = await serve()
    const address = url.replace('//', `//${spaceId}:${encodeURIComponent(canary)}@`)
    expect(await build(address, whole)).toEqual({ status: 0, leaks: [] })
  })

  test.each([
    ['an unknown export', `import { nope } from 'content-space:kit/brand'\nexport default nope\n`],
    ['an unknown kit', `import x from 'content-space:kit/nope'\nexport default x\n`],
  ])('when the build fails for %s', async (_, code) => {
    const { url } = await serve()
    expect(await build(url, code)).toEqual({ status: 1, leaks: [] })
  })

  test.each<[string, Respond]>([
    [
      'refuses it and echoes it',
      (response, request) => refusal(response, 401, 401, `${canary} ${request.headers.authorization}`),
    ],
    ['echoes it, however it is written', (response) => refusal(response, 103, 400, spellings.join(' '))],
    ['echoes its headers', (response, request) => refusal(response, 103, 400, JSON.stringify(request.headers))],
    [
      'shows it on an error page',
      (response, request) =>
        response.writeHead(400).end(`<p>${encodeURIComponent(canary)} ${request.headers.authorization}</p>`),
    ],
    [
      'redirects to an address with it',
      (response) => response.writeHead(302, { location: `http://x:${encodeURIComponent(canary)}@192.0.2.1/` }).end(),
    ],
    [
      'redirects to a host with it',
      answer(302, '', {
        location: `http://${Buffer.from(canary).toString('hex')}.example/${encodeURIComponent(canary)}`,
      }),
    ],
    ['has it in a header', answer(200, '', { 'content-encoding': encodeURIComponent(canary), 'retry-after': '0' })],
  ])('when the service %s', async (_, respond) => {
    const { url } = await misbehave(respond)
    expect(await build(url, whole)).toEqual({ status: 1, leaks: [] })
  })
})

// Ten commands in sequence, each in a separate process.
describe('no file or output of a command contains the token', { timeout: timeFor(3) }, () => {
  const all = [
    ['sync'],
    ['ls'],
    ['ls', 'brand'],
    ['ls', 'brand', '--json'],
    ['ls', 'brand', '--search', 'logo'],
    ['catalog'],
    ['pull', 'brand', '--out', 'content'],
    ['pull', 'brand', '--out', 'small', '--query', 'w=16&format=webp'],
    ['mirror', 'brand@1', '--out', 'mirror'],
    ['diff', 'brand'],
    ['verify'],
    ['cache', 'ls'],
  ]

  test('when it succeeds', async () => {
    const service = withDraft({
      uploads: [upload(1, 'Hero', 'PNG', await halves(32, 24).png().toBuffer()), upload(2, 'Acme Logo')],
    })
    expect(await commands((await misbehave(service)).url, ...all)).toEqual({ failed: [], leaks: [] })
  })

  test('when the service sends it as data', async () => {
    expect(await commands((await misbehave(withDraft(await echoing()))).url, ...all)).toEqual({ failed: [], leaks: [] })
  })
})

test('no bundle, map, lock, declaration, cache or manifest contains a token sent by the service', async () => {
  const { url } = await misbehave(withDraft(await echoing()))
  expect(await build(url, everything, { kit: kitUuid })).toEqual({ status: 0, leaks: [] })
})

/** Starts a service whose draft equals its version, as a mirror requires. */
function withDraft(content: Partial<ServiceContent>): Respond {
  const draft = contentService({ ...content, version: 0 })
  return contentService(content, ({ query, request, response }) => {
    if (query.get('version') === '0') draft(response, request, 0)
    return query.get('version') === '0'
  })
}

/** Returns a kit with the token in every text field and in every encoding. */
async function echoing(): Promise<Partial<ServiceContent>> {
  const photo = await halves(32, 24).png().toBuffer()
  const uploads = spellings.map((spelling, at) => {
    const [type, bytes] = at % 2 ? (['PNG', photo] as const) : (['SVG', logo] as const)
    const url = `https://content.example/${spelling}?token=${spelling}`
    return upload(at, `Mark ${at} ${spelling}`, type, bytes, {
      notes: spelling,
      keywords: `${spelling}, other`,
      colors: [{ name: spelling, hex: '#fff' }, spelling],
      permalink: url,
      thumbnails: { 292: url },
      thumbnail_placeholders: { 292: url },
      file_id: spelling,
      meta: { note: spelling, [spelling]: spelling },
      [spelling]: { [spelling]: [spelling] },
    })
  })
  const odd = spellings.map((spelling, at) =>
    headingItem(
      100 + at,
      at % 2
        ? { type: spelling, data: { [spelling]: spelling } }
        : { data: { content: spelling, display_size: spelling } },
    ),
  )
  const all = spellings.join(' ')
  return {
    uploads,
    items: [...uploads.map(({ record }, at) => assetItem(at, record, { data: { display_size: all } })), ...odd],
    kit: { name: `Brand ${all}`, images: { cover: `https://content.example/${all}` } },
    outline: { version_identifier: all, notes: all },
  }
}

import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
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

interface Build {
  space: string
  code: string
  kit?: string
  watch?: boolean
}

/** Statement of a script that prints the end of a part of its output to both streams. @param code expression of its exit code */
const endPart = (code: string): string =>
  `for (const stream of [process.stdout, process.stderr]) stream.write('\\n-- ends with ' + ${code} + ' --\\n')`

/**
 * The source of a script for a separate process, which builds in these folders. In watch mode it also writes snapshots,
 * and ends after the first build.
 */
function buildScript(builds: (Build & { root: string })[]): string {
  return `import { inspect } from 'node:util'
import { build } from ${from('vite')}
import contentSpace from ${from('unplugin-content-space/vite')}
for (const { root, space, kit = '${brand.uuid}', watch = false } of ${JSON.stringify(builds)}) {
  process.chdir(root)
  Object.assign(process.env, { CONTENT_SPACE_URL: space, CONTENT_SPACE_CACHE: root + '/cache' })
  const plugin = contentSpace({ kits: { brand: kit }, lockfile: 'lock.json', types: 'types.d.ts', onProgress: console.log })
  let status = 0
  try {
    const result = await build({ root: '.', configFile: false, logLevel: 'info', clearScreen: false, plugins: [plugin],
      build: { sourcemap: true, manifest: true, watch: watch ? {} : null, rolldownOptions: { input: 'main.js', preserveEntrySignatures: 'strict' } } })
    if (watch) {
      await new Promise((resolve, reject) => result.on('event', ({ code, error }) => (code === 'END' ? resolve() : code === 'ERROR' ? reject(error) : undefined)))
      await result.close()
    }
  } catch (error) {
    console.error(inspect(error, { depth: 12, showHidden: true }), error.stack, JSON.stringify(error))
    status = 1
  }
  ${endPart('status')}
  if (watch) process.exit()
}
`
}

interface Part {
  status: number
  leaks: string[]
  stderr: string
}

/** Runs a script with the token in its environment. @returns the parts of its output */
async function runParts(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Part[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd,
    env: { ...env, DEBUG: '*', CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: canary },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(await ended, stderr).toBe(0)
  // Every second one is an exit code.
  const [said, noted] = [stdout, stderr].map((printed) => printed.split(/\n-- ends with (\d) --\n/))
  expect([said?.pop(), noted?.pop()].flatMap((rest = '') => linesWithSecret(rest))).toEqual([])
  return Array.from({ length: (said?.length ?? 0) / 2 }, (_, at) => {
    const [out = '', error = ''] = [said?.[2 * at], noted?.[2 * at]]
    return { status: Number(said?.[2 * at + 1]), leaks: [out, error].flatMap(linesWithSecret), stderr: error }
  })
}

/** Verbose builds, one after another in one process: loading the bundler takes longer than they do. */
async function build(...builds: Build[]): Promise<{ status: number; leaks: string[] }[]> {
  const placed = await Promise.all(
    builds.map(async (one) => {
      const root = await mkdtemp(join(tmpdir(), 'content-space-canary-'))
      cleanups.push(() => rm(root, { recursive: true, force: true }))
      await writeFile(join(root, 'main.js'), one.code)
      return { ...one, root }
    }),
  )
  const parts = await runParts(buildScript(placed), tmpdir(), { ...process.env, CI: '' })
  return Promise.all(
    parts.map(async ({ status, leaks }, at) => {
      return { status, leaks: [...leaks, ...(await leaksIn(placed[at]?.root ?? ''))] }
    }),
  )
}

const linesWithSecret = (printed: string): string[] =>
  printed
    .split('\n')
    .filter(holdsSecret)
    .map((line) => `prints ${line.slice(0, 200)}`)

/**
 * Runs commands in sequence in one project, in one process, which evaluates the file that users start for each of them.
 * @returns the commands that failed, and the places of the token
 */
async function commands(space: string, ...all: string[][]): Promise<{ failed: string[]; leaks: string[] }> {
  const config = JSON.stringify({ kits: { brand: kitUuid }, metadata: 'full' })
  const work = await project({ 'content-space.config.json': config, 'main.ts': whole })
  cleanups.push(() => work.remove())
  const script = `
    process.setMaxListeners(0)
    for (const [at, args] of ${JSON.stringify(all)}.entries()) {
      process.argv = [process.argv[0], '', ...args]
      process.exitCode = undefined
      await import('${new URL('../../dist/cli/bin.js', import.meta.url).href}?' + at)
      ${endPart('process.exitCode')}
    }
    process.exitCode = 0`
  const env = { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(work.root, '.cache'), CONTENT_SPACE_URL: space }
  const parts = await runParts(script, work.root, env)
  return {
    failed: all.flatMap((args, at) => (parts[at]?.status === 0 ? [] : [`${args.join(' ')}: ${parts[at]?.stderr}`])),
    leaks: [...parts.flatMap(({ leaks }) => leaks), ...(await leaksIn(work.root))],
  }
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
/** Imports that also read, convert and inline. */
const everything = `${whole}export { default as small } from 'content-space:section/brand/logos?w=16&format=webp&placeholder=blur'
export { default as inline } from 'content-space:section/brand/logos?inline'\n`

describe('no file or output of a build contains the token', () => {
  test('when it succeeds or fails', async () => {
    const { url } = await serve()
    const address = url.replace('//', `//${spaceId}:${encodeURIComponent(canary)}@`)
    const unknownExport = `import { nope } from 'content-space:kit/brand'\nexport default nope\n`
    const unknownKit = `import x from 'content-space:kit/nope'\nexport default x\n`
    expect(
      await build(
        { space: url, code: whole },
        { space: address, code: whole },
        { space: url, code: unknownExport },
        { space: url, code: unknownKit },
        { space: url, code: whole, watch: true },
      ),
    ).toEqual([0, 0, 1, 1, 0].map((status) => ({ status, leaks: [] })))
  })

  test('when the service sends it', async () => {
    const answers: Record<string, Respond> = {
      'a refusal that echoes it': (response, request) =>
        refusal(response, 401, 401, `${canary} ${request.headers.authorization}`),
      'an error that echoes it, however it is written': (response) => refusal(response, 103, 400, spellings.join(' ')),
      'an error that echoes its headers': (response, request) =>
        refusal(response, 103, 400, JSON.stringify(request.headers)),
      'an error page': (response, request) =>
        response.writeHead(400).end(`<p>${encodeURIComponent(canary)} ${request.headers.authorization}</p>`),
      'a redirect to an address with it': (response) =>
        response.writeHead(302, { location: `http://x:${encodeURIComponent(canary)}@192.0.2.1/` }).end(),
      'a redirect to a host with it': answer(302, '', {
        location: `http://${Buffer.from(canary).toString('hex')}.example/${encodeURIComponent(canary)}`,
      }),
      'a header': answer(200, '', { 'content-encoding': encodeURIComponent(canary), 'retry-after': '0' }),
    }
    const servers = await Promise.all(Object.values(answers).map(misbehave))
    const outcomes = await build(...servers.map(({ url }) => ({ space: url, code: whole })))
    const names = Object.keys(answers)
    expect(names.map((name, at) => [name, outcomes[at]])).toEqual(names.map((name) => [name, { status: 1, leaks: [] }]))
  })
})

// Twelve commands in sequence.
describe('no file or output of a command contains the token', { timeout: 180_000 }, () => {
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
  expect(await build({ space: url, code: everything, kit: kitUuid })).toEqual([{ status: 0, leaks: [] }])
})

/** A service whose draft equals its version, as a mirror requires. */
function withDraft(content: Partial<ServiceContent>): Respond {
  const draft = contentService({ ...content, version: 0 })
  return contentService(content, ({ query, request, response }) => {
    if (query.get('version') === '0') draft(response, request, 0)
    return query.get('version') === '0'
  })
}

/** A kit with the token in every text field, in every spelling. */
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

import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { faultServer, refusal, type FaultServer } from '../support/fault-server.js'
import { brand, richSpace, serveSpace, type ServedSpace } from '../support/space.js'

/** With characters that encodings change. */
const canary = 'CANARY+9/ü=:tok'
const spaceId = 7

const basic = Buffer.from(`${spaceId}:${canary}`).toString('base64')
const spellings = [canary, encodeURIComponent(canary), basic, basic.replace(/=+$/, ''), Buffer.from(canary).toString('base64'), Buffer.from(canary).toString('hex')]

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

function from(name: string): string {
  return JSON.stringify(import.meta.resolve(name))
}

/** One build in a process of its own, verbose, with the token in its environment. */
async function build(space: string, code: string): Promise<{ status: number | null; leaks: string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-canary-'))
  cleanups.push(() => rm(root, { recursive: true, force: true }))
  await writeFile(join(root, 'main.js'), code)
  await writeFile(
    join(root, 'build.mjs'),
    `import { inspect } from 'node:util'
import { build } from ${from('vite')}
import contentSpace from ${from('unplugin-content-space/vite')}
const plugin = contentSpace({ kits: { brand: '${brand.uuid}' }, lockfile: 'lock.json', types: 'types.d.ts', onProgress: console.log })
try {
  await build({ root: '.', configFile: false, logLevel: 'info', clearScreen: false, plugins: [plugin],
    build: { sourcemap: true, manifest: true, rolldownOptions: { input: 'main.js', preserveEntrySignatures: 'strict' } } })
} catch (error) {
  console.error(inspect(error, { depth: 12, showHidden: true }), error.stack, JSON.stringify(error))
  process.exitCode = 1
}
`,
  )
  const child = spawn(process.execPath, ['build.mjs'], {
    cwd: root,
    env: { ...process.env, CI: '', DEBUG: '*', CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: canary, CONTENT_SPACE_CACHE: join(root, 'cache') },
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const leaks = holdsSecret(Buffer.concat(printed)) ? ['what it prints'] : []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (holdsSecret(Buffer.from(path)) || (entry.isFile() && holdsSecret(await readFile(path)))) leaks.push(path)
  }
  return { status, leaks }
}

function holdsSecret(bytes: Buffer): boolean {
  return spellings.some((spelling) => bytes.includes(spelling))
}

async function serve(): Promise<ServedSpace> {
  const folder = await richSpace()
  const served = await serveSpace(folder.folder, { spaceId, token: canary })
  cleanups.push(() => folder.remove(), () => served.close())
  return served
}

async function misbehave(respond: Parameters<typeof faultServer>[0]): Promise<FaultServer> {
  const server = await faultServer(respond)
  cleanups.push(server.close)
  return server
}

const whole = `import brand from 'content-space:kit/brand?metadata=full'\nexport default brand\n`

test('the token is in nothing that a build writes or prints', async () => {
  const { url } = await serve()
  expect(await build(url, whole)).toEqual({ status: 0, leaks: [] })
})

test('nor when the address holds it', async () => {
  const { url } = await serve()
  const address = url.replace('//', `//${spaceId}:${encodeURIComponent(canary)}@`)
  expect(await build(address, whole)).toEqual({ status: 0, leaks: [] })
})

test.each([
  ['an unknown export', `import { nope } from 'content-space:kit/brand'\nexport default nope\n`],
  ['an unknown kit', `import x from 'content-space:kit/nope'\nexport default x\n`],
])('nor when a build fails for %s', async (_, code) => {
  const { url } = await serve()
  expect(await build(url, code)).toEqual({ status: 1, leaks: [] })
})

test.each<[string, Parameters<typeof faultServer>[0]]>([
  ['refuses it and echoes it', (response, request) => refusal(response, 401, 401, `${canary} ${request.headers.authorization}`)],
  ['shows it on an error page', (response, request) => response.writeHead(400).end(`<p>${encodeURIComponent(canary)} ${request.headers.authorization}</p>`)],
  ['redirects to an address with it', (response) => response.writeHead(302, { location: `http://x:${encodeURIComponent(canary)}@192.0.2.1/` }).end()],
])('nor when the service %s', async (_, respond) => {
  const { url } = await misbehave(respond)
  expect(await build(url, whole)).toEqual({ status: 1, leaks: [] })
})

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, request, type Server } from 'node:http'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { versioned, versionedKit } from '../support/versions.js'

let space: SpaceFolder
let service: ServedSpace
let work: Project
let env: Record<string, string>
const servers: Server[] = []

beforeEach(async () => {
  space = await writeSpace(await versionedKit())
  service = await serveSpace(space.folder)
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await Promise.all([service.close(), work.remove(), space.remove()])
})

async function open(url: string): Promise<void> {
  env = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(service.spaceId), CONTENT_SPACE_TOKEN: service.token }
  work = await project(
    {
      'src/main.js': `import { acmeLogo, heroPhoto } from 'content-space:kit/brand'\nconsole.log(acmeLogo, heroPhoto)`,
    },
    env,
  )
  expect((await work.run('sync')).code).toBe(0)
}

/** Replaces the logo in version 1 and in the draft, because a service sends the draft's bytes for every version. */
async function replaceLogo(): Promise<void> {
  const other = svg('mark', 120, 40)
  await space.write({ 'brand/versions/1/Logos/acme-logo.svg': other, 'brand/Logos/corp-logo.svg': other })
}

/** Starts a service that lists neither hashes nor dates of files. */
async function withoutHashes(): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request(
      `${service.url}${url}`,
      { method, headers: { ...headers, connection: 'close', 'accept-encoding': 'identity' } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const body = Buffer.concat(chunks)
          const isJson = String(answer.headers['content-type']).includes('json')
          const text = isJson ? strip(body.toString()) : body
          const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers
          outgoing.writeHead(answer.statusCode ?? 500, { ...kept, 'content-length': Buffer.byteLength(text) })
          outgoing.end(text)
        })
      },
    )
    incoming.pipe(forwarded)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

function strip(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (/^(file_hash|file_updated|date_\w+)$/.test(key) ? undefined : value)),
  )
}

describe('bytes that were replaced within a locked version', () => {
  test('are named by diff without a download', async () => {
    await open(service.url)
    await replaceLogo()
    const downloads = service.downloads().length
    const { stdout } = await work.run('diff')
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'brand: version 1 (1.0) → now',
      expect.stringMatching(/^ {2}replaced {2}Acme Logo {2}acmeLogo {2}SVG, 135 B$/),
    ])
    expect(stdout).toContain('\n1 replaced\n')
    const json = JSON.parse((await work.run('diff', '--json')).stdout)
    expect(Object.keys(json)).toEqual(['added', 'removed', 'renamed', 'changed'])
    expect(json).toMatchObject({
      added: [],
      removed: [],
      renamed: [],
      changed: [{ uuid: versioned.logo, export: 'acmeLogo', detail: 'replaced', versions: { from: 1, to: 1 } }],
    })
    expect((await work.run('diff', '--markdown')).stdout).toContain('| replaced | Acme Logo |')
    expect((await work.run('diff', 'brand', '--to', '1', '--exit-code')).code).toBe(1)
    expect(service.downloads()).toHaveLength(downloads)
    expect((await work.run('diff', '--html')).stdout).toContain('<b class="replaced">replaced</b>')
  })

  test('are found by verify, which names the command that accepts them', async () => {
    await open(service.url)
    await replaceLogo()
    await rm(join(work.root, '.cache'), { recursive: true })
    for (const ci of ['', '1']) {
      env['CI'] = ci
      const { code, stderr } = await work.run('verify')
      expect([code, stderr]).toEqual([1, expect.stringContaining('content-space update brand`')])
      expect(stderr).not.toContain('Run `content-space sync`')
    }
    const { code, stdout } = await work.run('update', 'brand')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^brand: version 1 \(1\.0\) → now\n {2}replaced {2}Acme/)])
    expect((await work.run('sync')).code).toBe(0)
    expect((await work.run('diff')).stdout).toBe('no differences\n')
  })

  test("don't affect a build that has the locked files, and are rejected if these have to be downloaded again", async () => {
    await open(service.url)
    const lock = join(work.root, 'content-space.lock.json')
    const before = await readFile(lock, 'utf8')
    await replaceLogo()
    // Otherwise, the service would still have the locked bytes and send them.
    await space.write({ 'brand/versions/2/Logos/corp-logo.svg': svg('mark', 120, 40) })
    expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
    await rm(join(work.root, '.cache'), { recursive: true })
    const { code, stderr } = await work.run('sync')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/error\[integrity\][\s\S]*content-space update brand`/)])
    expect(await readFile(lock, 'utf8')).toBe(before)
  })

  test("are found by a download if the service doesn't list hashes, and update reports and accepts them", async () => {
    await open(await withoutHashes())
    await replaceLogo()
    // Only a download reveals it.
    expect((await work.run('diff')).stdout).toBe('no differences\n')
    expect((await work.run('diff', '--download')).stdout).toContain('  replaced  Acme Logo  acmeLogo')
    const { stdout } = await work.run('update', 'brand')
    expect(stdout).toContain('  replaced  Acme Logo  acmeLogo')
    expect((await work.run('diff', '--download')).stdout).toBe('no differences\n')
    await rm(join(work.root, '.cache'), { recursive: true })
    env['CI'] = '1'
    expect((await work.run('sync')).code).toBe(0)
  })
})

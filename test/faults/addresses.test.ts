import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { afterEach, describe, expect, test } from 'vitest'
import contentSpace from '../../src/entries/rollup.js'
import { project, type Project } from '../support/cli.js'
import { contentService, kitUuid, upload } from '../support/content-service.js'
import { faultServer, type FaultServer } from '../support/fault-server.js'
import { secret } from '../support/secret.js'

/** Represents access to a file in a URL's query. The token has its own canary in `canary.test.ts`. */
const access = 'canary-of-a-signed-address'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

/**
 * Starts a service that includes the access in the URLs of every field that may contain one. It rejects requests for
 * previews without it.
 */
async function signingService(): Promise<FaultServer & { previews: string[] }> {
  const previews: string[] = []
  let url = ''
  const address = (path: string) => `${url}/${path}?Signature=${access}&Expires=1#${access}`
  const draft = (version: number) =>
    contentService(() => ({
      version,
      kit: { use_version: 1, images: { cover: address('cover') }, cover_large: `//cdn.example/cover?${access}` },
      outline: { share_link: address('share') },
      uploads: [
        upload(1, 'Acme Logo', 'SVG', undefined, {
          permalink: address('permalink'),
          thumbnails: { 292: address('tile'), 1232: address('large') },
          thumbnail_placeholders: { 292: address('placeholder') },
          some_day: { nested: [`https://me:${access}@files.example/a`, `/relative/file?token=${access}`] },
          meta: { preview: { url: address('preview') }, note: 'What? Nothing.' },
        }),
        upload(2, 'Site', 'URL', Buffer.alloc(0), {
          size: 0,
          meta: { content: { url: 'https://www.example.com/?q=kept' }, preview: address('link') },
        }),
      ],
    }))
  const server = await faultServer((response, request, at) => {
    const asked = new URL(request.url ?? '', 'http://service')
    if (/^\/(?:cover|tile|large)$/.test(asked.pathname)) {
      previews.push(asked.pathname)
      const isSigned = asked.searchParams.get('Signature') === access
      return void response
        .writeHead(isSigned ? 200 : 403)
        .end(isSigned ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : '')
    }
    return draft(asked.searchParams.get('version') === '0' ? 0 : 1)(response, request, at)
  })
  url = server.url
  cleanups.push(server.close)
  return { ...server, previews }
}

const source = `import kits from 'content-space:kits'
import brand from 'content-space:kit/brand?metadata=full'
import section from 'content-space:section/brand/logos?metadata=full'
import outline from 'content-space:outline/brand'
import site from 'content-space:asset/brand/site'
export default [kits, brand, section, outline, site]\n`

async function workOn(url: string, config: object = {}): Promise<Project> {
  const options = { kits: { brand: kitUuid }, metadata: 'full', rateLimit: false, ...config }
  const work = await project(
    { 'content-space.config.json': JSON.stringify(options), 'main.js': source },
    { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(secret.spaceId), CONTENT_SPACE_TOKEN: secret.token },
  )
  cleanups.push(() => work.remove())
  return work
}

/** Returns everything in a project except the user's cache as one text. */
async function textOf(root: string): Promise<string> {
  const all = (await readdir(root, { recursive: true })).filter((path) => !path.startsWith('.cache'))
  const isFile = await Promise.all(all.map(async (path) => (await stat(join(root, path))).isFile()))
  const paths = all.filter((_, at) => isFile[at])
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'latin1')))
  return `${paths.join('\n')}\n${texts.join('\n')}`
}

async function bundle(work: Project, url: string, config: object = {}): Promise<string> {
  const { root } = work
  const plugin = contentSpace({
    space: url,
    ...secret,
    kits: { brand: kitUuid },
    metadata: 'full',
    rateLimit: false,
    cacheDir: join(root, '.cache'),
    lockfile: join(root, 'lock.json'),
    types: false,
    scan: ['none.js'],
    ...config,
  })
  const built = await rollup({ input: join(root, 'main.js'), plugins: [plugin] })
  const { output } = await built.generate({ format: 'es' })
  await built.close()
  return output.map((file) => (file.type === 'chunk' ? file.code : String(file.source))).join('\n')
}

describe('what an address carries behind its path', () => {
  test('reaches no output, lock, mirror, catalogue, page or log', async () => {
    const service = await signingService()
    const work = await workOn(service.url)
    for (const args of [
      ['sync'],
      ['ls', '--json'],
      ['ls', 'brand', '--json'],
      ['ls', 'brand'],
      ['catalog', '--out', 'catalog.md'],
      ['pull', 'brand', '--out', 'content'],
      ['mirror', 'brand', '--out', 'mirror'],
      ['diff', 'brand', '--json'],
      ['usage', '--out', 'usage.json'],
      ['browse', '--out', 'site', '--json'],
      ['verify'],
    ]) {
      const { code, stdout, stderr } = await work.run(...args)
      expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
      expect(stdout + stderr, args.join(' ')).not.toContain(access)
    }
    expect(await textOf(work.root)).not.toContain(access)
    expect(await bundle(work, service.url)).not.toContain(access)
    expect(await textOf(work.root)).not.toContain(access)
    // The site contains pictures, so previews were requested with the URLs as they were received.
    expect(service.previews).not.toEqual([])
    expect(await readFile(join(work.root, 'site/data/project.json'), 'utf8')).toContain('cover')
  })

  test('is asked for as it came when the listing is in the cache', async () => {
    const service = await signingService()
    const work = await workOn(service.url)
    expect((await work.run('sync')).code).toBe(0)
    const { code, stdout } = await work.run('browse', 'brand', '--out', 'site', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ missing: [] })
    expect(service.previews).not.toEqual([])
  })

  test('stays in a link, which is content', async () => {
    const service = await signingService()
    const work = await workOn(service.url)
    expect(await bundle(work, service.url)).toContain('https://www.example.com/?q=kept')
  })

  test('remains everywhere if the option requests it, but never in a shared cache', async () => {
    const service = await signingService()
    const work = await workOn(service.url)
    const signed = await bundle(work, service.url, { addresses: 'signed', lockfile: false })
    expect(signed).toContain(`permalink?Signature=${access}`)
    expect(signed).toContain(`cover?Signature=${access}`)
    expect(signed).not.toContain('content-space:previews')
    expect(await bundle(work, service.url)).not.toContain(access)
  })
})

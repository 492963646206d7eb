import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileDescriptor } from '../../src/files/plan.js'
import { openEngine } from '../../src/engine/engine.js'
import type { Options } from '../../src/config/options.js'
import { startServer } from '../../src/commands/serve/server.js'
import { hostileHalves, hostileTexts } from '../support/hostile-marks.js'

const kit = '30000000-0000-4000-8000-000000000001'
const vault = '30000000-0000-4000-8000-000000000002'

/** A service with a kit whose texts attack this package and the bundlers, and a second kit that is never imported. */
export interface HostileSpace {
  options: Options
  /** The texts of the kit, one in each section. */
  texts: string[]
  halves: [left: string, right: string][]
  /** A file in the kit that is never imported. */
  victim: FileDescriptor
  /** Returns the methods and paths of all requests since the last call. */
  requests(): string[]
  close(): Promise<void>
}

/** Returns an SVG that contains a text. */
export function saying(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const content = `<title>${escaped}</title><path d="M0 0h4v2H0z"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2" viewBox="0 0 4 2">${content}</svg>`
}

/** Returns the text in an SVG that `saying` made, even if the SVG has been changed. */
export function said(svg: string): string {
  const [, title = ''] = /<title>(.*)<\/title>/.exec(svg) ?? []
  return title.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

export async function openHostileSpace(): Promise<HostileSpace> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-hostile-'))
  const write = async (path: string, data: string | object): Promise<void> => {
    await mkdir(dirname(join(root, 'space', path)), { recursive: true })
    await writeFile(join(root, 'space', path), typeof data === 'string' ? data : JSON.stringify(data))
  }
  await write('vault/kit.json', { uuid: vault, name: 'Vault' })
  await write('vault/Logos/victim.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await write('hostile/kit.json', { uuid: kit, name: '__VITE_PRELOAD__' })
  const asked: string[] = []
  const service = await startServer({
    folder: join(root, 'space'),
    onRequest: ({ method, path }) => void asked.push(`${method} ${path}`),
  })
  const options: Options = {
    space: service.url,
    spaceId: service.spaceId,
    token: service.token,
    kits: { hostile: kit, vault },
    svg: 'strict',
    cacheDir: join(root, 'cache'),
  }
  const victim = await descriptorOf('content-space:asset/vault/victim?url', options)
  const texts = hostileTexts(victim).map(({ text }) => text)
  const halves = hostileHalves(victim)
  for (const [at, text] of texts.entries()) {
    const section = `hostile/${at + 1} Section`
    await write(`${section}/text-${at}.svg`, saying(text))
    const keywords = [text.replaceAll(',', ';')]
    await write(`${section}/text-${at}.json`, { name: text, notes: text, keywords, meta: { [text]: text } })
    await write(`${section}/section.json`, { name: text, items: [{ heading: text }, `text-${at}.svg`] })
  }
  for (const [at, [left, right]] of halves.entries()) {
    await write(`hostile/${900 + at} Halves/left-${at}.svg`, saying(`left ${at}`))
    await write(`hostile/${900 + at} Halves/left-${at}.json`, { notes: left })
    await write(`hostile/${900 + at} Halves/right-${at}.svg`, saying(`right ${at}`))
    await write(`hostile/${900 + at} Halves/right-${at}.json`, { notes: right })
  }
  asked.length = 0
  return {
    options,
    texts,
    halves,
    victim,
    requests: () => asked.splice(0),
    async close() {
      await service.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Returns the descriptor of an id's file, as in a build. */
async function descriptorOf(id: string, options: Options): Promise<FileDescriptor> {
  const engine = await openEngine({ ...options, lockfile: false, types: false })
  try {
    const files: FileDescriptor[] = []
    await engine.modules.source(engine.parse(id), {
      layout: 'flat',
      address: (file) => ({ code: String(files.push(file)) }),
      value: () => Promise.resolve({ code: '""' }),
    })
    const [file] = files
    if (file === undefined) throw new Error(`${id} shows no file`)
    return file
  } finally {
    await engine.close()
  }
}

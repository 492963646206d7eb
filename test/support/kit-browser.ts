import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { serveBrowser } from '../../src/commands/browse/server.js'
import type { Options } from '../../src/config/options.js'
import { requestToId } from '../../src/request/request.js'
import { openBrowser } from '../../src/commands/browse/browser.js'
import { openEngine, type Engine } from '../../src/engine/engine.js'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends an exact path and exact headers, because `fetch` would resolve dots and reject `Host` and `Origin`. */
export function send(
  address: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answer> {
  const { hostname, port, host } = new URL(address)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: hostname, port, path, method, headers: { host, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** A kit browser of a project in a temporary folder, served as by `content-space browse`. */
export interface BrowserBench {
  root: string
  url: string
  engine: Engine
  /** The warnings that the terminal would show. */
  warnings: string[]
  get(path: string, sent?: Sent): Promise<Answer>
  /** Returns an answer as JSON. */
  json<T = unknown>(path: string): Promise<T>
  close(): Promise<void>
}

export async function openBrowserBench(options: Options, files: Record<string, string> = {}): Promise<BrowserBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-browse-')))
  for (const [path, text] of Object.entries({ 'package.json': '{}', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const engine = await openEngine(
    { cacheDir: join(root, '.cache'), types: false, ...options },
    { root, mode: 'test', env: {} },
  )
  const warnings: string[] = []
  const browser = openBrowser(engine, { mode: 'browse', warn: (message) => void warnings.push(message) })
  const server = await serveBrowser(browser, 0)
  const get: BrowserBench['get'] = (path, sent) => send(server.url, `/${path}`, sent)
  return {
    root,
    url: server.url,
    engine,
    warnings,
    get,
    async json(path) {
      const { body } = await get(path)
      return JSON.parse(body.toString())
    },
    async close() {
      await engine.close()
      await server.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A request that the kit browser must reject, and the expected status. */
export interface HostileRequest extends Sent {
  name: string
  /** The path below the kit browser. */
  path: string
  status: number
}

/** An id as bundlers pass it between modules, with a recipe that no query can request. */
const generatedId = requestToId({
  kind: 'asset',
  kit: { kit: '3BD9A8C0-1111-4222-8333-444455556666', version: 0 },
  asset: '237C41F2-AAAA-4BBB-8CCC-000000000001',
  query: { as: 'url', full: false, w: [1e9] },
})

const json = { 'content-type': 'application/json' }

/**
 * Returns requests from pages of other origins, with names that resolve to this machine, and with paths that leave the
 * folder.
 * @param host the server's host
 */
export function hostileRequests(host: string): HostileRequest[] {
  const data = 'data/project.json'
  const place = JSON.stringify({ file: 'main.js', line: 1 })
  const own = { origin: `http://${host}` }
  return [
    { name: 'a page of another site', path: data, headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
    { name: 'a page of another port', path: data, headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
    { name: 'an unknown kind of page', path: data, headers: { 'sec-fetch-site': 'other' }, status: 403 },
    { name: 'a rebound name', path: data, headers: { host: `evil.example:80` }, status: 403 },
    {
      name: 'a rebound name that claims its own origin',
      path: data,
      headers: { host: 'evil.example', 'sec-fetch-site': 'same-origin' },
      status: 403,
    },
    {
      name: 'a name that begins like this machine',
      path: data,
      headers: { host: 'localhost.evil.example' },
      status: 403,
    },
    {
      name: 'an address that begins like this machine',
      path: data,
      headers: { host: '127.0.0.1.evil.example' },
      status: 403,
    },
    { name: 'another address', path: data, headers: { host: '10.0.0.1' }, status: 403 },
    { name: 'a host that is a list', path: data, headers: { host: `evil.example, ${host}` }, status: 400 },
    { name: 'a host with credentials', path: data, headers: { host: `user@${host}` }, status: 400 },
    { name: 'PUT', path: data, method: 'PUT', headers: own, status: 405 },
    { name: 'POST to data', path: data, method: 'POST', headers: { ...own, ...json }, body: place, status: 405 },
    {
      name: 'POST of a foreign origin',
      path: 'open',
      method: 'POST',
      headers: { ...json, origin: 'http://evil.example' },
      body: place,
      status: 403,
    },
    { name: 'POST of no origin', path: 'open', method: 'POST', headers: json, body: place, status: 403 },
    {
      name: 'POST of the origin null',
      path: 'open',
      method: 'POST',
      headers: { ...json, origin: 'null' },
      body: place,
      status: 403,
    },
    {
      name: 'a form',
      path: 'open',
      method: 'POST',
      headers: { ...own, 'content-type': 'text/plain' },
      body: place,
      status: 400,
    },
    {
      name: 'JSON that is no place',
      path: 'open',
      method: 'POST',
      headers: { ...own, ...json },
      body: '{"file":1}',
      status: 400,
    },
    {
      name: 'a place with more',
      path: 'open',
      method: 'POST',
      headers: { ...own, ...json },
      body: '{"file":"a","line":1,"editor":"sh"}',
      status: 400,
    },
    {
      name: 'a body without end',
      path: 'open',
      method: 'POST',
      headers: { ...own, ...json },
      body: ' '.repeat(20_000),
      status: 400,
    },
    {
      name: 'a place that is not listed',
      path: 'open',
      method: 'POST',
      headers: { ...own, ...json },
      body: JSON.stringify({ file: '../../etc/passwd', line: 1 }),
      status: 403,
    },
    {
      name: 'a line that is not listed',
      path: 'open',
      method: 'POST',
      headers: { ...own, ...json },
      body: JSON.stringify({ file: 'main.js', line: 99 }),
      status: 403,
    },
    { name: 'GET of open', path: 'open', status: 405 },
    { name: 'dots', path: '../package.json', status: 404 },
    { name: 'dots behind data', path: 'data/../../package.json', status: 404 },
    { name: 'encoded dots', path: '%2e%2e/package.json', status: 404 },
    { name: 'an encoded slash', path: 'data%2fproject.json', status: 404 },
    { name: 'a backslash', path: 'data\\project.json', status: 404 },
    { name: 'NUL', path: 'app.js%00.css', status: 404 },
    { name: 'a double slash', path: '/etc/passwd', status: 404 },
    { name: 'a name of Object', path: 'constructor', status: 404 },
    { name: 'a kit that is no uuid', path: 'data/kits/..%2f..%2f/0.json', status: 404 },
    { name: 'a query with a path', path: 'query?id=../../etc/passwd', status: 400 },
    { name: 'a query for a whole kit', path: 'query?id=content-space:kit/brand', status: 400 },
    {
      name: 'a query for a generated id',
      path: `query?id=${generatedId}`,
      status: 400,
    },
    { name: 'a query without an id', path: 'query', status: 400 },
  ]
}

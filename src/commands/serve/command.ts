import { once } from 'node:events'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { describeFault, faultKinds, type Fault, type FaultKind } from './faults.js'
import type { RateLimit } from './rate-limit.js'
import type { RouteName } from './routes.js'
import type { ServedResponse, ServerOptions } from './server.js'
import { paint, type Line, type Style } from '../../text/display.js'
import { suggestion } from '../../text/nearest.js'
import { sizeText } from '../../text/quantities.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import {
  choiceOption,
  collect,
  parser,
  portOption,
  readInteger,
  usageError,
  type CommonFlags,
  type FlagExceptions,
} from '../../terminal/flags.js'
import type { Terminal } from '../../terminal/terminal.js'

interface ServeFlags extends CommonFlags {
  port: number
  host: string
  rateLimit?: RateLimit
  latency: number
  pageBase: '0' | '1'
  downloads: NonNullable<ServerOptions['downloads']>
  uuids: 'shared' | 'per-version'
  errors: NonNullable<ServerOptions['errorStatus']>
  fault?: string[]
  quiet?: boolean
}

const rateLimitForm = '<requests>/<seconds>, such as 10/s, 2000/300s or 2000/300'
const faultForm = '<kind>[@<endpoint>][/<n>], such as serverError@download/5'

const readLatency = parser('--latency', 'a whole number of milliseconds', (text) => readInteger(text, 999_999_999))

const help = `
Examples:
  npx content-space serve ./space --port 4000 --token local
  npx content-space serve ./space --fault html@download/5 --fault stall@kits/9
  npx content-space ls --space http://127.0.0.1:4000 --space-id 1 --token local

The first line of the output contains the address. Each request is a line of
stderr: status, method and path, time, bytes, and the fault if there was one.

Faults help to test clients: --fault <kind>[@<endpoint>][/<n>] lets every
request fail, or every nth, to all endpoints or to one of kits, kit, outline,
section and download. Kinds:
${faultKinds.map((kind) => `  ${kind.padEnd(22)}${describeFault(kind)}`).join('\n')}`

export const flagExceptions: FlagExceptions = {
  json: { description: 'print the address and generated credentials as one JSON document, without logging requests' },
  frozen: 'implied',
  offline: 'implied',
  config: { refused: 'it does not read a configuration' },
  space: { refused: 'the argument names the folder' },
  spaceId: { description: 'id of the space that clients need (default: the id in space.json)' },
  token: { description: 'token that clients need (default: a random token, which is printed)' },
  cacheDir: { refused: 'it does not use a cache' },
}

export function command(terminal: Terminal): Command {
  return new Command('serve')
    .summary('serve a folder over the REST interface of a Content Space')
    .argument('<folder>', 'an embedded space, such as one that mirror wrote')
    .addOption(portOption('port to listen on; 0 picks a free one').default(0))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--rate-limit <n/s>',
      'number of downloads within a number of seconds, such as 10/s or 2000/300s (default: 2000/300s)',
      parser('--rate-limit', rateLimitForm, readRateLimit),
    )
    .option('--latency <ms>', 'delay of every response in milliseconds', readLatency, 0)
    .addOption(choiceOption('--page-base <n>', 'number of the first page of lists', ['0', '1']).default('1'))
    .addOption(
      choiceOption(
        '--downloads <how>',
        'the response to downloads: with the file, a redirect to it, or JSON with its address',
        ['bytes', 'redirect', 'url'],
      ).default('bytes'),
    )
    .addOption(
      choiceOption(
        '--uuids <how>',
        'uuids of assets; shared: equal in all versions, per-version: own uuids and source_id in published versions',
        ['shared', 'per-version'],
      ).default('shared'),
    )
    .addOption(
      choiceOption('--errors <status>', 'HTTP status of errors; http: the matching status, ok: always 200', [
        'http',
        'ok',
      ]).default('http'),
    )
    .option(
      '--fault <kind[@endpoint][/n]>',
      'make every request, or every nth request, to an endpoint fail; can be repeated; see below',
      collect,
    )
    .option('--quiet', 'log no requests')
    .description(help)
    .action((folder: string, flags: ServeFlags) => serve(folder, flags, terminal))
}

async function serve(folder: string, flags: ServeFlags, terminal: Terminal): Promise<void> {
  const { port, host, rateLimit, latency, downloads, json } = flags
  // An empty value, such as from an unset shell variable, means the default.
  const [token, spaceId] = [flags.token || undefined, flags.spaceId || undefined]
  if (spaceId !== undefined && !/^\d+$/.test(spaceId))
    throw usageError(`--space-id must be a whole number for a folder, got '${spaceId}'.`)
  const faults = await readFaults(flags.fault ?? [])
  const { startServer } = await import('./server.js')
  const server = await startServer({
    folder: resolve(terminal.cwd, folder),
    port,
    host,
    latency,
    downloads,
    pageBase: flags.pageBase === '0' ? 0 : 1,
    uuids: flags.uuids === 'shared' ? 'shared' : 'perVersion',
    errorStatus: flags.errors,
    faults,
    ...omitUndefined({ token, spaceId, rateLimit }),
    ...(json || flags.quiet ? {} : { onResponse: (response) => terminal.note(requestLine(response)) }),
  })
  const { url } = server
  const madeUp = token === undefined ? { token: server.token } : {}
  if (json) {
    terminal.printJson({ url, spaceId: server.spaceId, ...madeUp })
  } else {
    terminal.print(`Serving ${folder} at ${url}`)
    terminal.print(`  space id  ${server.spaceId}`)
    if (madeUp.token) terminal.print(`  token     ${madeUp.token}`)
  }
  if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
  await server.close()
}

/** Formats a line such as `200  GET /1/kits/  3 ms  1.2 kB`. */
function requestLine({ status, method, path, query, milliseconds, size, fault }: ServedResponse): Line {
  const parameters = new URLSearchParams(query).toString()
  const what = `${method} ${path}${parameters && `?${parameters}`}`
  const rest = [
    `${milliseconds} ms`,
    status === undefined ? '' : sizeText(size),
    fault === undefined ? '' : `fault ${fault}`,
  ]
  return [paint(styleOf(status), String(status ?? '---')), `  ${what}  `, paint('dim', rest.filter(Boolean).join('  '))]
}

function styleOf(status = 500): Style {
  if (status < 400) return 'green'
  return status < 500 ? 'yellow' : 'red'
}

function readRateLimit(text: string): RateLimit | undefined {
  const [, requests, seconds = '1'] = /^(\d{1,9})\/(?:(\d{1,9})s?|s)$/.exec(text) ?? []
  const limit = { requests: Number(requests), seconds: Number(seconds) }
  return limit.requests > 0 && limit.seconds > 0 ? limit : undefined
}

async function readFaults(texts: readonly string[]): Promise<Fault[]> {
  if (texts.length === 0) return []
  const { routeNames } = await import('./routes.js')
  return texts.map((text) => {
    const [, kind = '', endpoint, every = '1'] = /^([^@/]+)(?:@([^/]+))?(?:\/([1-9]\d*))?$/.exec(text) ?? []
    const on = endpoint === undefined ? undefined : oneOf<RouteName>(text, endpoint, routeNames)
    return { with: oneOf<FaultKind>(text, kind, faultKinds), every: Number(every), ...omitUndefined({ on }) }
  })
}

function oneOf<T extends string>(fault: string, part: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === part)
  if (value !== undefined) return value
  throw usageError(`--fault must be ${faultForm}, got '${fault}'. ${suggestion(part, values)}`)
}

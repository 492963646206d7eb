import { once } from 'node:events'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { suggestion } from '../text/nearest.js'
import { faultKinds, type Fault, type FaultKind } from '../commands/serve/faults.js'
import type { RateLimit } from '../commands/serve/rate-limit.js'
import { routeNames, type RouteName } from '../commands/serve/routes.js'
import { startServer, type ServerOptions } from '../commands/serve/server.js'
import type { CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'

interface ServeFlags extends CommonFlags {
  port: number
  host: string
  rateLimit?: RateLimit
  latency: number
  pageBase: '0' | '1'
  downloads: NonNullable<ServerOptions['downloads']>
  errors: NonNullable<ServerOptions['errorStatus']>
  fault: Fault[]
}

/** `content-space serve <folder>` */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description('put the REST interface in front of a folder')
    .argument('<folder>', 'an embedded space')
    .option('--port <n>', 'port; 0 picks a free one', portNumber, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--rate-limit <n/s>',
      'downloads in any so many seconds: 10/s, 2000/300s or 2000/300 (default: 2000/300s)',
      rateLimit,
    )
    .option('--latency <ms>', 'milliseconds that every answer waits', integer, 0)
    .addOption(new Option('--page-base <n>', 'number of the first page').choices(['0', '1']).default('1'))
    .addOption(
      new Option('--downloads <how>', 'how downloads answer').choices(['bytes', 'redirect', 'url']).default('bytes'),
    )
    .addOption(
      new Option('--errors <status>', 'HTTP status of errors: fitting, or 200').choices(['http', 'ok']).default('http'),
    )
    .option(
      '--fault <kind[@endpoint][/n]>',
      `every nth request to an endpoint fails: ${faultKinds.join(', ')}`,
      fault,
      [],
    )
    .action((folder: string, flags: ServeFlags, command: Command) => {
      if (flags.spaceId && !/^\d+$/.test(flags.spaceId)) command.error('error: --space-id of a folder is an integer')
      return serve(folder, flags, terminal)
    })
}

async function serve(folder: string, flags: ServeFlags, terminal: Terminal): Promise<void> {
  const { token, spaceId, port, host, rateLimit: limit, latency, downloads } = flags
  const server = await startServer({
    folder: resolve(terminal.cwd, folder),
    port,
    host,
    latency,
    downloads,
    pageBase: flags.pageBase === '0' ? 0 : 1,
    errorStatus: flags.errors,
    faults: flags.fault,
    ...(token ? { token } : {}),
    ...(spaceId ? { spaceId } : {}),
    ...(limit ? { rateLimit: limit } : {}),
  })
  const { url } = server
  const madeUp = token ? {} : { token: server.token }
  if (flags.json) {
    terminal.printJson({ url, spaceId: server.spaceId, ...madeUp })
  } else {
    terminal.print(`Serving ${folder} at ${url}`)
    terminal.print(`  space id  ${server.spaceId}`)
    if (madeUp.token) terminal.print(`  token     ${madeUp.token}`)
  }
  if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
  await server.close()
}

function integer(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is an integer.')
}

function portNumber(text: string): number {
  const number = integer(text)
  if (number < 2 ** 16) return number
  throw new InvalidArgumentError('It is at most 65535.')
}

function rateLimit(text: string): RateLimit {
  const [, requests, seconds = '1'] = /^(\d{1,9})\/(?:(\d{1,9})s?|s)$/.exec(text) ?? []
  if (Number(requests) > 0 && Number(seconds) > 0) return { requests: Number(requests), seconds: Number(seconds) }
  throw new InvalidArgumentError('It is <requests>/<seconds>, for example 10/s, 2000/300s or 2000/300.')
}

/** `serverError@download/5`: every fifth download. */
function fault(text: string, before: Fault[]): Fault[] {
  const [, kind = '', endpoint, every = '1'] = /^([^@/]+)(?:@([^/]+))?(?:\/([1-9]\d*))?$/.exec(text) ?? []
  const on = endpoint === undefined ? {} : { on: oneOf<RouteName>(endpoint, routeNames) }
  return [...before, { with: oneOf<FaultKind>(kind, faultKinds), every: Number(every), ...on }]
}

function oneOf<T extends string>(text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw new InvalidArgumentError(suggestion(text, values))
}

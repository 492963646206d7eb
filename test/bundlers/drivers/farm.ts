import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Driver } from '../driver.js'

/** Printed to both streams after each build. */
const ends = { built: '\0built\0', failed: '\0failed\0' }

/**
 * Runs all builds in one separate process, because loading Farm takes longer than a build. It is separate because Farm
 * ends its process when a build fails, which we prevent there.
 */
const script = `
  import { createInterface } from 'node:readline'
  import { build } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  process.exit = () => {
    throw new Error('The build has failed.')
  }
  for await (const line of createInterface(process.stdin)) {
    const { options, configuration, env, ends } = JSON.parse(line)
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    const end = await build({ ...configuration, plugins: [contentSpace(options)] }).then(() => ends.built, () => ends.failed)
    for (const stream of [process.stdout, process.stderr]) stream.write(end)
  }
`

let running: ReturnType<typeof start> | undefined

function start() {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd, stdio: 'pipe' })
}

/**
 * Builds a project.
 * @returns what Farm prints to both streams
 * @throws Error with the same text
 */
async function run(input: object): Promise<string[]> {
  const farm = (running ??= start())
  const log = Promise.all([farm.stdout, farm.stderr].map(readBuild))
  farm.stdin.write(`${JSON.stringify({ ...input, env: process.env, ends })}\n`)
  const waiting = new AbortController()
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(200_000)])
  const ended = once(farm, 'exit', { signal }).catch(() => undefined)
  const outputs = await Promise.race([log, ended.then(() => undefined)])
  waiting.abort()
  if (outputs?.every(({ failed }) => !failed)) return outputs.map(({ text }) => text)
  if (outputs) throw new Error(outputs.map(({ text }) => text).join(''))
  farm.kill()
  running = undefined
  throw new Error('Farm has ended its process, or takes too long.')
}

/** Reads what a build prints to a stream. */
function readBuild(stream: Readable): Promise<{ text: string; failed: boolean }> {
  let text = ''
  return new Promise((resolve) => {
    const read = (chunk: Buffer): void => {
      text += chunk
      for (const [outcome, end] of Object.entries(ends)) {
        if (!text.endsWith(end)) continue
        stream.off('data', read)
        resolve({ text: text.slice(0, -end.length), failed: outcome === 'failed' })
      }
    }
    stream.on('data', read)
  })
}

export const farmDriver: Driver = {
  name: 'farm',
  async build(project, options, { format, publicPath, minify, sourcemap, hashes, development, entries }) {
    const configuration = {
      root: project,
      compilation: {
        input: Object.fromEntries(entries.map((entry) => [entry.replace('.js', ''), `./${entry}`])),
        output: {
          path: 'dist',
          targetEnv: 'node',
          format: format === 'es' ? 'esm' : 'cjs',
          entryFilename: '[entryName].js',
          ...(hashes ? {} : { assetsFilename: '[resourceName].[ext]' }),
          ...(publicPath === 'relative' ? {} : { publicPath }),
        },
        // Farm doesn't follow links that lead out of the project.
        external: ['^react(-dom)?(/|$)', '^preact(-render-to-string)?(/|$)', '^(vue|solid-js)(/|$)'],
        mode: development ? 'development' : 'production',
        minify,
        sourcemap,
        persistentCache: false,
        presetEnv: false,
      },
    }
    return { log: await run({ options, configuration }) }
  },
}

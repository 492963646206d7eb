import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockedSpace } from '../test/support/locked-space.js'
import { inTurn, ratio, type Side } from './compare.js'
import { cli, runNode, runScript } from './process.js'
import type { Row, Scale } from './report.js'
import { startService } from './service.js'

const rounds = { full: 15, quick: 3 }
/** The number of assets in the kit that is listed. */
const sizes = { full: [1000, 10_000], quick: [1000] }

/** An agent's first message. A server ends after it has answered, because its input ends. */
const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
})}\n`
const emptyServer = fileURLToPath(new URL('empty-mcp.js', import.meta.url))

/**
 * Compares the import of an entry with unplugin's, the start of the command with Node's, the server for agents with an
 * empty one, and the list of a locked kit with a process that reads its snapshot.
 */
export async function compareStarts(scale: Scale): Promise<Row[]> {
  const count = rounds[scale]
  const imports = await inTurn('import', [importing('unplugin-content-space/vite'), importing('unplugin')], count, true)
  const commands = await inTurn(
    'start',
    [running('version', [cli(), '--version']), running('node', ['-e', '0'])],
    count,
    true,
  )
  const servers = [running('mcp', [cli(), 'mcp'], initialize), running('empty', [emptyServer], initialize)]
  const answers = await inTurn('mcp', servers, count, true)
  const rows: Row[] = [
    {
      work: 'import of an entry',
      against: 'importing unplugin',
      figures: [{ ...ratio(imports, 'unplugin-content-space/vite', 'unplugin'), target: 1.3 }],
    },
    {
      work: '`content-space --version`',
      against: 'bare Node',
      figures: [{ ...ratio(commands, 'version', 'node'), target: 1.3 }],
    },
    {
      work: '`content-space mcp`, up to its first answer',
      against: 'an empty server of the SDK',
      figures: [{ ...ratio(answers, 'mcp', 'empty'), target: 1.5 }],
    },
  ]
  for (const size of sizes[scale]) rows.push(await compareList(size, Math.ceil(count / 3)))
  return rows
}

async function compareList(size: number, count: number): Promise<Row> {
  const space = await lockedSpace(size)
  const service = await startService(space.folder)
  const root = await mkdtemp(join(tmpdir(), 'content-space-bench-'))
  const cache = join(root, 'cache')
  const { space: url, spaceId, token } = service.options
  const env = {
    CONTENT_SPACE_URL: url,
    CONTENT_SPACE_ID: String(spaceId),
    CONTENT_SPACE_TOKEN: token,
    CONTENT_SPACE_CACHE: cache,
  }
  try {
    await writeFile(
      join(root, 'main.js'),
      `import { asset00000 } from 'content-space:kit/large'\nexport default asset00000\n`,
    )
    await runNode([cli(), 'sync'], { cwd: root, env })
    const snapshot = await largestFile(cache)
    const read = `const { kit } = JSON.parse(require('node:fs').readFileSync(${JSON.stringify(snapshot)}, 'utf8'))
      for (const { name } of kit.assets) console.log(name)`
    const list = async (): Promise<Awaited<ReturnType<typeof runNode>>> => {
      const ran = await runNode([cli(), 'ls', 'large'], { cwd: root, env })
      if (ran.stdout.split('\n').length < size) throw new Error('The list is not complete.')
      return ran
    }
    const sides = [{ name: 'ls', run: list }, running('node', ['-e', read])]
    const measured = await inTurn(`ls of ${size}`, sides, count, true)
    return {
      work: `\`ls\` of a locked kit, ${size.toLocaleString('en')}: time; processor time`,
      against: 'Node reading the snapshot',
      figures: [
        { ...ratio(measured, 'ls', 'node'), target: 2 },
        { ...ratio(measured, 'ls', 'node', 'cpu'), target: 2 },
      ],
    }
  } finally {
    service.stop()
    await Promise.all([space.remove(), rm(root, { recursive: true, force: true })])
  }
}

/** The snapshot of a kit is larger than the other files in the cache. */
async function largestFile(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(paths.map(async (path) => [(await stat(path)).size, path] as const))
  const [largest] = files.toSorted(([a], [b]) => b - a)
  if (largest === undefined) throw new Error('The cache is empty.')
  return largest[1]
}

/** Imports a package in a new process. Only the import is timed, not the start of the process. */
function importing(name: string): Side {
  const script = `const started = performance.now()
    await import('${name}')
    console.log(performance.now() - started)`
  return { name, run: async () => ({ wall: Number((await runScript(script)).stdout) }) }
}

/** Runs Node and measures it from start to end. */
function running(name: string, args: string[], input?: string): Side {
  return { name, run: () => runNode(args, { input }) }
}

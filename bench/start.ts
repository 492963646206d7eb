import { inTurn, ratio, type Side } from './compare.js'
import { cli, runNode, runScript } from './process.js'
import type { Row, Scale } from './report.js'

const rounds = { full: 21, quick: 5 }

/**
 * Compares the import of an entry with that of unplugin, and the start of the command with that of Node.
 */
export async function compareStarts(scale: Scale): Promise<Row[]> {
  const imports = await inTurn([importing('unplugin-content-space/vite'), importing('unplugin')], rounds[scale], true)
  const commands = await inTurn(
    [running('version', [cli, '--version']), running('node', ['-e', '0'])],
    rounds[scale],
    true,
  )
  return [
    {
      work: 'import of an entry',
      against: 'importing unplugin',
      figures: [{ now: ratio(imports, 'unplugin-content-space/vite', 'unplugin'), target: 1.3 }],
    },
    {
      work: '`content-space --version`',
      against: 'bare Node',
      figures: [{ now: ratio(commands, 'version', 'node'), target: 1.3 }],
    },
  ]
}

/** Imports a package in a new process. Only the import is timed, not the start of the process. */
function importing(name: string): Side {
  const script = `const started = performance.now()
    await import('${name}')
    console.log(performance.now() - started)`
  return { name, run: async () => ({ wall: Number((await runScript(script)).stdout) }) }
}

/** Runs Node from its start to its end. */
function running(name: string, args: string[]): Side {
  return { name, run: () => runNode(args) }
}

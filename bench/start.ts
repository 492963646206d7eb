import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inTurn, printTable, ratio, timed, type Side } from './compare.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const rounds = 21

/** Compares the import of the plugin with that of unplugin, and the start of the command with that of Node. */
export async function compareStarts(): Promise<void> {
  const imports = await inTurn([importing('unplugin-content-space/vite'), importing('unplugin')], rounds, true)
  const commands = await inTurn([running('version', [cli, '--version']), running('node', ['-e', '0'])], rounds, true)
  printTable([
    ['import of `unplugin-content-space/vite` : of `unplugin`', '`content-space --version` : `node -e 0`'],
    [ratio(imports, 'unplugin-content-space/vite', 'unplugin'), ratio(commands, 'version', 'node')],
  ])
}

/** Imports a package in a new process. Only the import is timed, not the start of the process. */
function importing(name: string): Side {
  const script = `const started = performance.now()
    await import('${name}')
    console.log(performance.now() - started)`
  return {
    name,
    async run() {
      const { stdout } = await node(['--input-type=module', '--eval', script])
      return Number(stdout)
    },
  }
}

/** Runs Node from its start to its end. */
function running(name: string, args: string[]): Side {
  return { name, run: () => timed(() => node(args)) }
}

function node(args: string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(process.execPath, args, { cwd: root, timeout: 20_000 })
}

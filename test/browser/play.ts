import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A running script of the playground, started like `npm run` but without building the package. */
export interface Play {
  /** Resolves with the first match in the output. Rejects if the script ends first. */
  says(pattern: RegExp): Promise<string>
  /** Sends SIGINT and resolves with the exit code. */
  interrupt(): Promise<number | null>
  /** When the script ends, resolves with the exit code and the whole output. */
  ended: Promise<{ code: number | null; output: string }>
}

export function play(script: string, ...args: string[]): Play {
  const child = spawn(process.execPath, ['node_modules/jiti/lib/jiti-cli.mjs', `playground/${script}.ts`, ...args], {
    cwd: repository,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', NODE_ENV: '' },
    timeout: 120_000,
  })
  let output = ''
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, output }))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  return {
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)
          if (found) resolve(found[1] ?? found[0])
        }
        child.stdout.on('data', look)
        void ended.then(() => reject(new Error(`${script} ended before it said ${pattern}:\n${output}`)))
        look()
      }),
    async interrupt() {
      child.kill('SIGINT')
      return (await ended).code
    },
  }
}

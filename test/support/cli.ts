import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const built = new URL('../../dist/cli/', import.meta.url)
const bin = fileURLToPath(new URL('bin.js', built))

interface Ran {
  code: unknown
  stdout: string
  stderr: string
}

interface Started {
  kill(this: void, signal: NodeJS.Signals): void
  /** Returns what it has printed so far to both streams. */
  printed(this: void): string
  ended: Promise<Ran>
}

export interface Project {
  root: string
  write(files: Record<string, string>): Promise<void>
  /**
   * Runs the built command line in the project, with a separate cache and without environment settings. Runs it in the
   * test's process, with its output going to a pipe.
   */
  run(...args: string[]): Promise<Ran>
  /** Runs it in a subfolder of the project. */
  runIn(folder: string, ...args: string[]): Promise<Ran>
  /**
   * Runs it as a separate process, for tests of concurrent processes, of the modules that are loaded, and of texts that
   * libraries or the project print.
   */
  runProcess(...args: string[]): Promise<Ran>
  /** Starts it as a separate process, for tests that kill it. */
  start(...args: string[]): Started
  remove(): Promise<void>
}

/** Loads the files that users start, once for each test file. */
async function loadCommandLine(): Promise<typeof import('../../src/cli/main.js')> {
  return import(new URL('main.js', built).href)
}

/** Removes lines that are printed only if the machine is so busy that a service takes more than a second to respond. */
function withoutWaiting(stderr: string): string {
  return stderr.replaceAll(/^waiting for http\S+\n/gm, '')
}

/** Writes a project to a temporary folder. */
export async function project(files: Record<string, string>, env: Record<string, string> = {}): Promise<Project> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-project-')))
  const write = async (more: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(more)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
  }
  await write(files)
  const variables = { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(root, '.cache'), ...env }
  const runIn = async (folder: string, args: string[]): Promise<Ran> => {
    const { run, openTerminal } = await loadCommandLine()
    const [stdout, stderr]: [string[], string[]] = [[], []]
    const terminal = openTerminal({
      stdout: { write: (text) => stdout.push(text) },
      stderr: { write: (text) => stderr.push(text) },
      env: variables,
      cwd: join(root, folder),
      signal: new AbortController().signal,
    })
    return { code: await run(args, terminal), stdout: stdout.join(''), stderr: withoutWaiting(stderr.join('')) }
  }
  const start = (args: string[]): Started => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: root, env: variables, timeout: 110_000 })
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    const ended = once(child, 'close').then(([code]: unknown[]) => {
      return { code, stdout: String(Buffer.concat(stdout)), stderr: withoutWaiting(String(Buffer.concat(stderr))) }
    })
    return {
      kill: (signal) => void child.kill(signal),
      printed: () => String(Buffer.concat([...stdout, ...stderr])),
      ended,
    }
  }
  return {
    root,
    write,
    remove: () => rm(root, { recursive: true, force: true }),
    start: (...args) => start(args),
    run: (...args) => runIn('', args),
    runProcess: (...args) => start(args).ended,
    runIn: (folder, ...args) => runIn(folder, args),
  }
}

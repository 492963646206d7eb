import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

interface Ran {
  code: unknown
  stdout: string
  stderr: string
}

interface Started {
  kill(this: void, signal: NodeJS.Signals): void
  ended: Promise<Ran>
}

export interface Project {
  root: string
  write(files: Record<string, string>): Promise<void>
  /** Runs the built command line in the project, with its own cache and without settings of the environment. */
  run(...args: string[]): Promise<Ran>
  /** Runs it in a subfolder of the project. */
  runIn(folder: string, ...args: string[]): Promise<Ran>
  /** Starts the built command line, for tests that kill it. */
  start(...args: string[]): Started
  remove(): Promise<void>
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
  const startIn = (folder: string, args: string[]): Started => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: join(root, folder),
      env: { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(root, '.cache'), ...env },
      timeout: 110_000,
    })
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    const ended = once(child, 'close').then(([code]: unknown[]) => {
      return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
    })
    return { kill: (signal) => void child.kill(signal), ended }
  }
  return {
    root,
    write,
    remove: () => rm(root, { recursive: true, force: true }),
    start: (...args) => startIn('', args),
    run: (...args) => startIn('', args).ended,
    runIn: (folder, ...args) => startIn(folder, args).ended,
  }
}

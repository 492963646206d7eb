import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveSpace, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'
import type { GitHub } from './gh.js'
import { runAction, type JobResult } from './runner.js'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const gh = fileURLToPath(new URL('gh.ts', import.meta.url))
const jiti = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))

export const token = 'ghs_TokenOfTheJob'

/** A project with a remote repository on disk, the content that it imports, and what GitHub knows of it. */
export interface Site {
  space: SpaceFolder
  service: ServedSpace
  /** Environment of a job that has the token of the service. */
  settings: Record<string, string>
  /** Checks out a commit as `actions/checkout` does: without history, and without credentials. */
  checkout(ref?: string): Promise<string>
  /** Runs git in a folder; without one, in the remote repository. */
  git(args: string[], folder?: string): Promise<string>
  /** Commits files to a branch of the remote repository, as a colleague does. */
  commit(files: Record<string, string>, branch?: string): Promise<string>
  /** Runs the action in a fresh checkout of the base branch. */
  update(inputs?: Record<string, string>): Promise<JobResult>
  /** Runs the action for a pull request of a branch. */
  describe(branch: string, from?: string, inputs?: Record<string, string>): Promise<JobResult>
  run(job: {
    event: string
    ref: string
    payload?: object
    inputs?: Record<string, string>
    /** Files that earlier steps of the job have left. */
    files?: Record<string, string>
    refusesArtifacts?: boolean
  }): Promise<JobResult>
  /** Puts a program before those of the runner. */
  addProgram(path: string, script: string): Promise<void>
  github(): Promise<GitHub>
  changeGithub(change: (github: GitHub) => void): Promise<void>
  /** The environments that code of the project has seen. */
  environments(): Promise<string>
  remove(): Promise<void>
}

/** @param files of the project, besides its configuration */
export async function openSite(content: Files, files: Record<string, string>): Promise<Site> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-site-')))
  const space = await writeSpace(content)
  const service = await serveSpace(space.folder, { rateLimit: false })
  const remote = join(root, 'remote.git')
  const seen = join(root, 'environments')
  const bin = join(root, 'bin')
  const state = join(root, 'github.json')
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: join(root, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  const settings = {
    PATH: env.PATH,
    HOME: env.HOME,
    GH_STATE: state,
    GIT_CONFIG_NOSYSTEM: '1',
    CONTENT_SPACE_CACHE: join(root, 'cache'),
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    AWS_ACCESS_KEY_ID: 'AKIAOFTHECACHE',
    AWS_SESSION_TOKEN: 'session-of-the-cache',
  }
  const git = async (args: string[], folder = remote): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: folder, env })).stdout.trim()
  let jobs = 0

  async function clone(ref: string, ...flags: string[]): Promise<string> {
    const folder = join(root, `checkout-${jobs++}`)
    await git(['init', '--quiet', folder], root)
    await git(['remote', 'add', 'origin', `file://${remote}`], folder)
    await git(['fetch', '--quiet', ...flags, 'origin', ref], folder)
    await git(['checkout', '--quiet', '--detach', 'FETCH_HEAD'], folder)
    await writeFiles(folder, { 'node_modules/.bin/content-space': `#!/bin/sh\nexec node ${main} "$@"\n` })
    await chmod(join(folder, 'node_modules/.bin/content-space'), 0o755)
    return folder
  }

  const site: Site = {
    space,
    service,
    settings,
    checkout: (ref = 'main') => clone(ref, '--depth=1'),
    git,
    async commit(changes, branch = 'main') {
      const folder = await clone(branch)
      await writeFiles(folder, changes)
      await git(['add', '--all'], folder)
      await git(['commit', '--quiet', '--message', 'Work of a colleague'], folder)
      await git(['push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`], folder)
      return git(['rev-parse', 'HEAD'], folder)
    },
    update: (inputs = {}) => site.run({ event: 'schedule', ref: 'main', inputs }),
    async describe(branch, from = 'acme/site', inputs = {}) {
      // As GitHub does for each pull request: the merge into the base branch.
      const folder = await clone('main')
      await git(['fetch', '--quiet', 'origin', branch], folder)
      await git(['merge', '--quiet', '--no-ff', '--message', 'Merge', 'FETCH_HEAD'], folder)
      await git(['push', '--quiet', '--force', 'origin', 'HEAD:refs/pull/5/merge'], folder)
      const base = { sha: await git(['rev-parse', 'main']) }
      const payload = { pull_request: { number: 5, base, head: { repo: { full_name: from } } } }
      return site.run({ event: 'pull_request', ref: 'refs/pull/5/merge', payload, inputs })
    },
    async run({ ref, files: left = {}, ...job }) {
      const workspace = await site.checkout(ref)
      await writeFiles(workspace, left)
      const sha = await git(['rev-parse', 'HEAD'], workspace)
      return runAction({ ...job, workspace, temp: root, sha, token, env: settings })
    },
    async addProgram(path, script) {
      await writeFiles(bin, { [path]: script })
      await chmod(join(bin, path), 0o755)
    },
    github: async () => JSON.parse(await readFile(state, 'utf8')),
    async changeGithub(change) {
      const github = await site.github()
      change(github)
      await writeFile(state, JSON.stringify(github))
    },
    environments: () => readFile(seen, 'utf8').catch(() => ''),
    async remove() {
      await service.close()
      await space.remove()
      await rm(root, { recursive: true, force: true })
    },
  }
  await mkdir(env.HOME)
  await site.addProgram('gh', `#!/bin/sh\nexec node ${jiti} ${gh} "$@"\n`)
  await writeFile(
    state,
    JSON.stringify({ token, readOnly: false, pulls: [], comments: [], calls: [] } satisfies GitHub),
  )
  await git(['init', '--quiet', '--bare', '--initial-branch=main', remote], root)
  const first = join(root, 'first')
  await git(['clone', '--quiet', remote, first], root)
  await writeFiles(first, { 'content-space.config.js': configuration(seen), '.gitignore': 'node_modules\n', ...files })
  await promisify(execFile)(process.execPath, [main, 'sync'], { cwd: first, env: settings })
  await rm(seen, { force: true })
  await git(['add', '--all'], first)
  await git(['commit', '--quiet', '--message', 'Start'], first)
  await git(['push', '--quiet', 'origin', 'HEAD:refs/heads/main'], first)
  return site
}

/** The configuration file is code of the project: it writes down what it can see. */
function configuration(seen: string): string {
  return `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env) + '\\n')
export default { tokens: [] }
`
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

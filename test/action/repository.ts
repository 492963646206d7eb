import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { GitHub } from './gh.js'
import { runAction, type Job, type JobResult } from './runner.js'

const gh = fileURLToPath(new URL('gh.ts', import.meta.url))
const jiti = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))

export const token = 'ghs_TokenOfTheJob'
export const branch = 'content-space/update'

/** What the first job hands over. */
export interface Data {
  /** Files that the update changes. `undefined` deletes one. */
  files?: Record<string, string | undefined>
  /** A patch in place of them. */
  patch?: string
  text?: string
  /** Other files of the artifact. */
  others?: Record<string, string>
}

/** A remote repository on disk, and what GitHub knows of it. */
export interface Repository {
  root: string
  env: Record<string, string>
  /** Checks out a commit as `actions/checkout` does: without history, and without credentials. */
  checkout(ref?: string): Promise<string>
  /** Checks out a branch with its history. */
  clone(ref: string): Promise<string>
  /** Runs git in a folder; without one, in the remote repository. */
  git(args: string[], folder?: string): Promise<string>
  /** Commits files to a branch of the remote repository, as a colleague does. */
  commit(files: Record<string, string>, branch?: string): Promise<string>
  /** Runs the second job on a schedule. */
  publish(data: Data, inputs?: Record<string, string>, event?: string): Promise<JobResult>
  /** Runs the second job for pull request 5, with this text. */
  comment(text: string, inputs?: Record<string, string>, from?: string): Promise<JobResult>
  run(job: Pick<Job, 'action' | 'event' | 'workspace'> & Partial<Job>): Promise<JobResult>
  /** Puts a program before those of the runner. */
  addProgram(path: string, script: string): Promise<void>
  github(): Promise<GitHub>
  changeGithub(change: (github: GitHub) => void): Promise<void>
  remove(): Promise<void>
}

export async function openRepository(files: Record<string, string>): Promise<Repository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-repository-')))
  const remote = join(root, 'remote.git')
  const bin = join(root, 'bin')
  const state = join(root, 'github.json')
  const author = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: join(root, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GH_STATE: state,
  }
  const run = promisify(execFile)
  const git = async (args: string[], folder = remote): Promise<string> =>
    (await run('git', args, { cwd: folder, env: { ...env, ...author, ...committer } })).stdout.trim()
  let jobs = 0

  async function clone(ref: string, ...flags: string[]): Promise<string> {
    const folder = join(root, `checkout-${jobs++}`)
    await git(['init', '--quiet', folder], root)
    await git(['remote', 'add', 'origin', `file://${remote}`], folder)
    await git(['fetch', '--quiet', ...flags, 'origin', ref], folder)
    await git(['checkout', '--quiet', '--detach', 'FETCH_HEAD'], folder)
    return folder
  }

  async function artifactOf({ files: changed, patch = '', text = '', others = {} }: Data): Promise<string> {
    const folder = join(root, `artifact-${jobs++}`)
    let written = patch
    if (changed) {
      const checkout = await clone('main')
      await writeFiles(checkout, changed)
      await git(['add', '--all'], checkout)
      const { stdout } = await run('git', ['diff', '--cached', '--binary', '--full-index', 'HEAD'], {
        cwd: checkout,
        env,
      })
      written = stdout
    }
    await writeFiles(folder, { 'update.patch': written, 'changes.md': text, ...others })
    return folder
  }

  const repository: Repository = {
    root,
    env,
    checkout: (ref = 'main') => clone(ref, '--depth=1'),
    clone: (ref) => clone(ref),
    git,
    async commit(changes, target = 'main') {
      const folder = await clone(target)
      await writeFiles(folder, changes)
      await git(['add', '--all'], folder)
      await git(['commit', '--quiet', '--message', 'Work of a colleague'], folder)
      await git(['push', '--quiet', 'origin', `HEAD:refs/heads/${target}`], folder)
      return git(['rev-parse', 'HEAD'], folder)
    },
    async publish(data, inputs = {}, event = 'schedule') {
      const artifacts = new Map([[inputs['artifact'] ?? 'content-space', await artifactOf(data)]])
      const workspace = await repository.checkout()
      return repository.run({ action: 'publish', event, workspace, inputs, artifacts })
    },
    async comment(text, inputs = {}, from = 'acme/site') {
      const workspace = join(root, `empty-${jobs++}`)
      await mkdir(workspace)
      const payload = { pull_request: { number: 5, head: { repo: { full_name: from } } } }
      const artifacts = new Map([['content-space', await artifactOf({ text })]])
      return repository.run({ action: 'publish', event: 'pull_request', workspace, inputs, payload, artifacts })
    },
    run: (job) => runAction({ temp: root, sha: '', token, env, artifacts: new Map(), ...job }),
    async addProgram(path, script) {
      await writeFiles(bin, { [path]: script })
      await chmod(join(bin, path), 0o755)
    },
    github: async () => JSON.parse(await readFile(state, 'utf8')),
    async changeGithub(change) {
      const github = await repository.github()
      change(github)
      await writeFile(state, JSON.stringify(github))
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
  await mkdir(env.HOME)
  await repository.addProgram('gh', `#!/bin/sh\nexec node ${jiti} ${gh} "$@"\n`)
  await writeFile(
    state,
    JSON.stringify({ token, readOnly: false, pulls: [], comments: [], calls: [] } satisfies GitHub),
  )
  await git(['init', '--quiet', '--bare', '--initial-branch=main', remote], root)
  const first = join(root, 'first')
  await git(['clone', '--quiet', remote, first], root)
  await writeFiles(first, files)
  await git(['add', '--all'], first)
  await git(['commit', '--quiet', '--message', 'Start'], first)
  await git(['push', '--quiet', 'origin', 'HEAD:refs/heads/main'], first)
  return repository
}

export async function writeFiles(folder: string, files: Record<string, string | undefined>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) {
      await rm(join(folder, path))
      continue
    }
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

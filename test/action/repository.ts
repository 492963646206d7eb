import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startGh, type GitHub } from './gh.js'
import { runAction, type Job, type JobResult } from './runner.js'

export const token = 'ghs_TokenOfTheJob'
export const branch = 'content-space/update'

const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

/** The result of the first job. */
export interface Data {
  /** The files that the update changes. `undefined` deletes a file. */
  files?: Record<string, string | undefined>
  /** A patch to use instead of these files. */
  patch?: string
  text?: string
  /** Other files in the artifact. */
  others?: Record<string, string>
}

/** A remote repository on disk, and what GitHub knows about it. */
export interface Repository {
  root: string
  env: Record<string, string>
  /** Checks out a commit like `actions/checkout`: without history and credentials. */
  checkout(ref?: string): Promise<string>
  /** Checks out a branch with its history. */
  clone(ref: string): Promise<string>
  /** Runs git in a folder or, without one, in the remote repository. */
  git(args: string[], folder?: string): Promise<string>
  /** Commits files to a branch of the remote repository, as a colleague might. */
  commit(files: Record<string, string>, branch?: string): Promise<string>
  /** Runs the second job on a schedule. */
  publish(data: Data, inputs?: Record<string, string>, event?: string): Promise<JobResult>
  /** Runs the second job for pull request 5, with this text. */
  comment(text: string, inputs?: Record<string, string>, from?: string): Promise<JobResult>
  run(job: Pick<Job, 'action' | 'event' | 'workspace'> & Partial<Job>): Promise<JobResult>
  /** Adds a program that takes precedence over the runner's programs. */
  addProgram(path: string, script: string): Promise<void>
  github: GitHub
  remove(): Promise<void>
}

export async function openRepository(files: Record<string, string>): Promise<Repository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-repository-')))
  const remote = join(root, 'remote.git')
  const bin = join(root, 'bin')
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: join(root, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const run = promisify(execFile)
  const git = async (args: string[], folder = remote): Promise<string> =>
    (await run('git', args, { cwd: folder, env: { ...env, ...author } })).stdout.trim()
  const github: GitHub = { token, readOnly: false, pulls: [], comments: [], calls: [] }
  const gh = await startGh(github)
  let jobs = 0

  async function clone(ref: string, ...flags: string[]): Promise<string> {
    const folder = join(root, `checkout-${jobs++}`)
    await git(['clone', '--quiet', '--single-branch', '--branch', ref, ...flags, `file://${remote}`, folder], root)
    return folder
  }

  /** Commits files without a checkout, because each git process takes as long as all of this. */
  async function commit(ref: string, changes: Record<string, string | undefined>, from?: string): Promise<void> {
    const who = `${author.GIT_AUTHOR_NAME} <${author.GIT_AUTHOR_EMAIL}> now`
    const lines = Object.entries(changes).map(([path, text]) =>
      text === undefined ? `D ${path}\n` : `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    )
    const parent = from === undefined ? '' : `from ${from}^0\n`
    const done = run('git', ['fast-import', '--quiet', '--force', '--date-format=now'], { cwd: remote, env })
    done.child.stdin?.end(`commit ${ref}\nauthor ${who}\ncommitter ${who}\ndata 4\nWork\n${parent}${lines.join('')}`)
    await done
  }

  async function artifactOf({ files: changed, patch = '', text = '', others = {} }: Data): Promise<string> {
    const folder = join(root, `artifact-${jobs++}`)
    let written = patch
    if (changed) {
      await commit('refs/tests/update', changed, 'refs/heads/main')
      written = (
        await run('git', ['diff', '--binary', '--full-index', 'main', 'refs/tests/update'], { cwd: remote, env })
      ).stdout
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
      await commit(`refs/heads/${target}`, changes, `refs/heads/${target}`)
      return git(['rev-parse', target])
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
    github,
    async remove() {
      gh.close()
      await rm(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  await mkdir(env.HOME)
  await repository.addProgram('gh', gh.program)
  await git(['init', '--quiet', '--bare', '--initial-branch=main', remote], root)
  await commit('refs/heads/main', files)
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

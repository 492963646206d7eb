import { execFile } from 'node:child_process'
import { chmod, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveSpace, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { openRepository, writeFiles, type Repository } from './repository.js'
import type { JobResult } from './runner.js'

const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

/** A repository with a project and the content that it imports. */
export interface Site extends Repository {
  space: SpaceFolder
  service: ServedSpace
  /** The environment of a job that has the service's token. */
  settings: Record<string, string>
  /** Runs both jobs of the workflow on a schedule. */
  update(inputs?: Record<string, string>): Promise<Workflow>
  /** Runs both jobs of the workflow for a branch's pull request. */
  describe(branch: string): Promise<Workflow>
  /** Returns the environments that the project's code has seen. */
  environments(): Promise<string>
}

interface Workflow {
  jobs: JobResult[]
  artifacts: Map<string, string>
  /** The checkout of the first job. */
  workspace: string
}

/**
 * @param files the project's files in addition to its configuration
 * @param pulled the arguments of `pull`, for a project that commits a pulled folder
 */
export async function openSite(
  content: Files,
  files: Record<string, string>,
  pulled?: readonly string[],
): Promise<Site> {
  const space = await writeSpace(content)
  const service = await serveSpace(space.folder, { rateLimit: false })
  const repository = await openRepository({ '.gitignore': 'node_modules\n' })
  const { root, env } = repository
  const seen = join(root, 'environments')
  const settings = {
    ...env,
    CONTENT_SPACE_CACHE: join(root, 'cache'),
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    AWS_ACCESS_KEY_ID: 'AKIAOFTHECACHE',
  }

  const site: Site = {
    ...repository,
    space,
    service,
    settings,
    checkout: async (ref) => install(await repository.checkout(ref)),
    async update(inputs = {}) {
      const artifacts = new Map<string, string>()
      const workspace = await site.checkout()
      const first = await site.run({ action: '.', event: 'schedule', workspace, inputs, env: settings, artifacts })
      const clean = await repository.checkout()
      if (!first.ok) return { jobs: [first], artifacts, workspace }
      const second = await site.run({ action: 'publish', event: 'schedule', workspace: clean, inputs, artifacts })
      return { jobs: [first, second], artifacts, workspace }
    },
    async describe(branch) {
      // As GitHub does for each pull request, use the merge into the base branch.
      const folder = await install(await repository.clone('main'))
      await repository.git(['fetch', '--quiet', 'origin', branch], folder)
      await repository.git(['merge', '--quiet', '--no-ff', '--message', 'Merge', 'FETCH_HEAD'], folder)
      const sha = await repository.git(['rev-parse', 'HEAD'], folder)
      const payload = { pull_request: { number: 5, base: { sha: '' }, head: { repo: { full_name: 'acme/site' } } } }
      const artifacts = new Map<string, string>()
      const job = { event: 'pull_request', payload, artifacts, sha }
      const first = await site.run({ ...job, action: '.', workspace: folder, env: settings })
      if (!first.ok) return { jobs: [first], artifacts, workspace: folder }
      return {
        jobs: [first, await site.run({ ...job, action: 'publish', workspace: root })],
        artifacts,
        workspace: folder,
      }
    },
    environments: () => readFile(seen, 'utf8').catch(() => ''),
    async remove() {
      await service.close()
      await space.remove()
      await repository.remove()
    },
  }
  const first = await site.checkout()
  await writeFiles(first, { 'content-space.config.js': configuration(seen), ...files })
  for (const command of [['sync'], ...(pulled ? [['pull', ...pulled]] : [])])
    await promisify(execFile)(process.execPath, [main, ...command], { cwd: first, env: settings })
  await rm(seen, { force: true })
  await repository.git(['add', '--all'], first)
  await repository.git(['-c', 'user.name=Ada', 'commit', '--quiet', '--message', 'Project'], first)
  await repository.git(['push', '--quiet', 'origin', 'HEAD:refs/heads/main'], first)
  return site
}

/** Installs the project's packages, like `npm ci`. */
async function install(folder: string): Promise<string> {
  await writeFiles(folder, { 'node_modules/.bin/content-space': `#!/bin/sh\nexec node ${main} "$@"\n` })
  await chmod(join(folder, 'node_modules/.bin/content-space'), 0o755)
  return folder
}

/** Returns a configuration file that, because it is code of the project, can record what it sees. */
function configuration(seen: string): string {
  return `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env) + '\\n')
export default { tokens: [] }
`
}

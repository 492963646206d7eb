import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../action', import.meta.url))

interface Step {
  name: string
  id?: string
  if?: string
  uses?: string
  with?: Record<string, string>
  run?: string
  'continue-on-error'?: boolean
  env?: Record<string, string>
}

interface Action {
  inputs: Record<string, { default: string }>
  outputs?: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}

const read = async (path: string): Promise<Action> => parse(await readFile(join(folder, path, 'action.yml'), 'utf8'))

/** The actions of both jobs as GitHub reads them, by their folder in `action`. */
export const definitions = { '.': await read('.'), publish: await read('publish') }

export interface Job {
  action: keyof typeof definitions
  workspace: string
  /** A folder for the runner's files. */
  temp: string
  /** `GITHUB_EVENT_NAME` */
  event: string
  /** The payload of the event. */
  payload?: object
  /** The commit of the event. */
  sha: string
  token: string
  inputs?: Record<string, string>
  /** The environment of the step that uses the action. */
  env: Record<string, string>
  /** The folders of the workflow's uploaded artifacts, by name. */
  artifacts: Map<string, string>
}

export interface JobResult {
  /** Whether every step succeeded. */
  ok: boolean
  log: string
  /** The workflow commands that the runner executes. */
  commands: string[]
  outputs: Record<string, string>
  summary: string
}

type Outputs = Record<string, string>

/**
 * Runs the steps of an action like a runner on a separate machine: with conditions, expressions, environment files,
 * workflow commands, and a fresh copy of the action. Supports only the expressions that the actions use and fails for
 * any other.
 */
export async function runAction(job: Job): Promise<JobResult> {
  const definition = definitions[job.action]
  const files = await mkdtemp(join(job.temp, 'machine-'))
  const runnerTemp = join(files, 'temp')
  const action = join(files, 'action')
  await mkdir(runnerTemp)
  await cp(folder, action, { recursive: true })
  const environment = { GITHUB_ENV: join(files, 'environment'), GITHUB_PATH: join(files, 'path') }
  for (const file of Object.values(environment)) await writeFile(file, '')
  const steps: Record<string, { outputs: Outputs }> = {}
  const github = { token: job.token, repository: 'acme/site', event: job.payload ?? {} }
  const context: Record<string, unknown> = { github, steps, runner: { temp: runnerTemp } }
  const inputs = Object.entries(definition.inputs).map(
    ([name, input]) => [name, job.inputs?.[name] ?? fill(input.default, context)] as const,
  )
  context['inputs'] = Object.fromEntries(inputs)
  const result: JobResult = { ok: true, log: '', commands: [], outputs: {}, summary: '' }
  for (const [at, step] of definition.runs.steps.entries()) {
    if (!result.ok || (step.if !== undefined && evaluate(step.if, context) !== 'true')) continue
    const outputs = step.uses === undefined ? await runShell(step, at) : await transfer(step)
    if (step.id !== undefined) steps[step.id] = { outputs }
  }
  result.outputs = mapValues(definition.outputs ?? {}, ({ value }) => fill(value, context))
  result.commands = obeyedCommands(result.log)
  return result

  async function runShell({ run = '', env = {} }: Step, at: number): Promise<Outputs> {
    const [script = '', outputFile = '', summaryFile = ''] = ['script', 'output', 'summary'].map((name) =>
      join(files, `${name}-${at}`),
    )
    for (const file of [outputFile, summaryFile]) await writeFile(file, '')
    await writeFile(script, run)
    const paths = (await readFile(environment.GITHUB_PATH, 'utf8')).split('\n').filter(Boolean).toReversed()
    const added = (await readFile(environment.GITHUB_ENV, 'utf8')).split('\n').filter(Boolean)
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], {
      cwd: job.workspace,
      // A runner ends all processes that a job leaves, which we can do with a process group.
      detached: true,
      env: {
        ...job.env,
        ...Object.fromEntries(added.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)])),
        PATH: [...paths, job.env['PATH']].join(':'),
        ...githubVariables(job),
        ...environment,
        GITHUB_ACTION_PATH: join(action, job.action),
        RUNNER_TEMP: runnerTemp,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        ...mapValues(env, (text) => fill(text, context)),
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (result.log += String(chunk)))
    const [code]: unknown[] = await once(child, 'close')
    if (code !== 0) result.ok = false
    result.summary += await readFile(summaryFile, 'utf8')
    const lines = (await readFile(outputFile, 'utf8')).split('\n').filter((line) => line !== '')
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  }

  async function transfer({ uses = '', with: given = {} }: Step): Promise<Outputs> {
    const [, way] = /^actions\/(upload|download)-artifact@[\da-f]{40}$/.exec(uses) ?? []
    const name = fill(given['name'] ?? '', context)
    const path = fill(given['path'] ?? '', context)
    if (way === 'upload') {
      const kept = join(job.temp, 'artifacts', name)
      await rm(kept, { recursive: true, force: true })
      // Follows links, like the real action.
      await cp(path, kept, { recursive: true, dereference: true })
      job.artifacts.set(name, kept)
    } else if (way === 'download') await cp(job.artifacts.get(name) ?? '', path, { recursive: true })
    else throw new Error(`Unknown action ${uses}`)
    return {}
  }
}

function githubVariables({ event, sha, workspace }: Job): Record<string, string> {
  return {
    CI: 'true',
    GITHUB_EVENT_NAME: event,
    GITHUB_REPOSITORY: 'acme/site',
    GITHUB_REPOSITORY_OWNER: 'acme',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '7',
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REF_NAME: event === 'pull_request' ? '5/merge' : 'main',
    GITHUB_SHA: sha,
    GITHUB_WORKSPACE: workspace,
  }
}
function fill(text: string, context: object): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => evaluate(expression, context))
}

function evaluate(expression: string, context: object): string {
  const [left = '', operator, right = ''] = expression.split(/ (==|!=) /)
  if (operator === undefined) return valueOf(left, context)
  return String((valueOf(left, context) === valueOf(right, context)) === (operator === '=='))
}

function valueOf(term: string, context: object): string {
  const literal = /^'([^']*)'$/.exec(term)
  if (literal) return literal[1] ?? ''
  if (!/^[\w.-]+$/.test(term)) throw new Error(`Unknown expression ${term}`)
  const value = term.split('.').reduce<unknown>((all, key) => new Map(Object.entries(all ?? {})).get(key), context)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function mapValues<T, U>(table: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, map(value)]))
}

/**
 * Returns the workflow commands in a log that a runner executes: they begin a line or are written as `##[…]`, and
 * commands aren't stopped.
 */
function obeyedCommands(log: string): string[] {
  const obeyed: string[] = []
  let end: string | undefined
  for (const line of log.split(/\r\n|[\n\r]/)) {
    const [, name = '', text = ''] = /^\s*::([\w-]+)[^:]*::(.*)$/.exec(line) ?? []
    if (end !== undefined) {
      if (line.trim() === `::${end}::`) end = undefined
    } else if (name === 'stop-commands') end = text
    else if (name !== '' || /##\[/.test(line)) obeyed.push(line.trim())
  }
  return obeyed
}

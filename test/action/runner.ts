import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const action = fileURLToPath(new URL('../../action', import.meta.url))

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
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}

/** The action as GitHub reads it. */
export const definition: Action = parse(await readFile(join(action, 'action.yml'), 'utf8'))

export interface Job {
  workspace: string
  /** Where the runner keeps its files. */
  temp: string
  /** `GITHUB_EVENT_NAME` */
  event: string
  /** The payload of the event. */
  payload?: object
  /** The commit of the event. */
  sha: string
  token: string
  inputs?: Record<string, string>
  /** Environment of the step that uses the action. */
  env: Record<string, string>
  /** Whether artifacts are refused, as where their quota is used up. */
  refusesArtifacts?: boolean
}

export interface JobResult {
  /** Whether every step succeeded. */
  ok: boolean
  /** Names of the steps that ran. */
  steps: string[]
  log: string
  /** Workflow commands that the runner obeys. */
  commands: string[]
  outputs: Record<string, string>
  summary: string
  /** Folders with the files of uploaded artifacts. */
  artifacts: string[]
}

type Outputs = Record<string, string>

/**
 * Runs the steps of the action as a runner does: conditions, expressions, environment files and workflow commands. Only
 * the expressions that the action uses are known; others are an error.
 */
export async function runAction(job: Job): Promise<JobResult> {
  const files = await mkdtemp(join(job.temp, 'runner-'))
  const runnerTemp = join(files, 'temp')
  await mkdir(runnerTemp)
  const steps: Record<string, { outputs: Outputs }> = {}
  const github = {
    token: job.token,
    repository: 'acme/site',
    run_id: '7',
    run_attempt: '1',
    job: 'content',
    event: job.payload ?? {},
  }
  const strategy = { 'job-index': 0 }
  const context: Record<string, unknown> = { github, steps, strategy, runner: { temp: runnerTemp } }
  const inputs = Object.entries(definition.inputs).map(
    ([name, input]) => [name, job.inputs?.[name] ?? fill(input.default, context)] as const,
  )
  context['inputs'] = Object.fromEntries(inputs)
  const result: JobResult = { ok: true, steps: [], log: '', commands: [], outputs: {}, summary: '', artifacts: [] }
  for (const [at, step] of definition.runs.steps.entries()) {
    if (!result.ok || (step.if !== undefined && evaluate(step.if, context) !== 'true')) continue
    result.steps.push(step.name)
    const outputs = step.uses === undefined ? await runShell(step, at) : await upload(step)
    if (step.id !== undefined) steps[step.id] = { outputs }
    if (step['continue-on-error'] === true) result.ok = true
  }
  result.outputs = mapValues(definition.outputs, ({ value }) => fill(value, context))
  result.commands = obeyedCommands(result.log)
  return result

  async function runShell({ run = '', env = {} }: Step, at: number): Promise<Outputs> {
    const [script, outputFile, summaryFile] = ['script', 'output', 'summary'].map((name) =>
      join(files, `${name}-${at}`),
    )
    for (const file of [outputFile, summaryFile]) await writeFile(file ?? '', '')
    await writeFile(script ?? '', run)
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script ?? ''], {
      cwd: job.workspace,
      env: {
        ...job.env,
        ...githubVariables(job),
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
    result.summary += await readFile(summaryFile ?? '', 'utf8')
    const lines = (await readFile(outputFile ?? '', 'utf8')).split('\n').filter((line) => line !== '')
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  }

  async function upload({ uses = '', with: given = {} }: Step): Promise<Outputs> {
    if (!/^actions\/upload-artifact@[\da-f]{40}$/.test(uses)) throw new Error(`Unknown action ${uses}`)
    if (job.refusesArtifacts === true) {
      result.ok = false
      return {}
    }
    const folder = join(files, fill(given['name'] ?? '', context))
    await cp(fill(given['path'] ?? '', context), folder, { recursive: true })
    result.artifacts.push(folder)
    return { 'artifact-url': 'https://github.com/acme/site/actions/runs/7/artifacts/9' }
  }
}

function githubVariables({ event, sha, workspace }: Job): Record<string, string> {
  return {
    CI: 'true',
    GITHUB_ACTION_PATH: action,
    GITHUB_EVENT_NAME: event,
    GITHUB_REPOSITORY: 'acme/site',
    GITHUB_REPOSITORY_OWNER: 'acme',
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

/** Returns the workflow commands of a log that a runner obeys: at the start of a line, or `##[…]`, and not stopped. */
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

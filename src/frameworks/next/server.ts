import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { devFiles } from '../../bundlers/references/dev-files.js'
import { showFrame } from '../../bundlers/reports.js'
import { openSession, type Session } from '../../bundlers/session/session.js'
import { addressPath } from '../../commands/shared/file-key.js'
import { listen } from '../../commands/shared/listen.js'
import type { Options } from '../../config/options.js'
import { projectFolder } from '../../disk/project-folder.js'
import { replaceFile } from '../../disk/replace-file.js'
import { messageOf } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { ofNext, type References } from '../../modules/references.js'
import { consoleLog } from '../../print.js'
import type { Answer, LoaderOptions } from './requests.js'
import { copyRuntimes, type CopiedRuntimes } from './runtimes.js'

export type Server = Awaited<ReturnType<typeof openServer>>

/**
 * Starts the server that makes modules and style sheets for the loader, and content files for the browser. It listens
 * only on this machine, and doesn't keep the process alive.
 * @param root the folder in which Next.js runs
 * @param base the path before addresses, with a trailing slash
 * @returns its address, `http://127.0.0.1:<port>`, the options that the loader needs to reach it, and methods to use it
 */
export async function openServer(root: string, base: string, options: Options, command: 'serve' | 'build') {
  const session = openSession(options)
  session.configure({ root, mode: command === 'serve' ? 'development' : 'production', command })
  const files = devFiles(session)
  files.serveFrom({ base, origin: '' })
  const runtimes = copyRuntimes(root)
  const references: References = { ...files.references, runtime: runtimes.import, ...ofNext }
  const key = randomUUID()
  const answers = createAnswers(session, command)
  const replaceIn = async (sheet: string, code: string): Promise<string> => {
    const { replaceIds } = await import('../../bundlers/markup/style-sheet.js')
    const address = (file: FileDescriptor) =>
      command === 'serve' ? files.address(file) : writeForSheet(file, sheet, root, session)
    return (await replaceIds(session, code, sheet, address)).toString()
  }
  const server = createServer((request, response) => {
    if (request.headers['x-content-space'] === key) {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost')
      const [id = '', sheet] = [searchParams.get('id') ?? undefined, searchParams.get('sheet')]
      const answering =
        sheet === null
          ? answers(() => loadModule(id, session, references, runtimes))
          : text(request).then((code) => answers(() => replaceIn(sheet, code)))
      answering.then((answer) => send(response, 200, answer)).catch(() => response.destroy())
      return
    }
    keepWaiting(response)
    if (!files.answer(request, response, (error) => consoleLog.error(error.message))) {
      send(response, 404, { error: 'Not found' })
    }
  })
  server.on('connection', (socket) => socket.unref())
  const origin = await listen(server.unref(), 'The dev server', '127.0.0.1', 0)
  if (command === 'serve') {
    await session.start()
    // Write the declarations and the lockfile before any page is requested.
    session.sourceChanged()
  }
  // The options of the loader differ in each process, so that Turbopack never reuses a module of an earlier run.
  const loader: LoaderOptions = { origin, key }
  return {
    origin,
    loader,
    /** Warns about ids in the output of a build. @param folder absolute path of `.next` */
    async warnOfTexts(folder: string): Promise<void> {
      const { warnOfScriptIds } = await import('../../bundlers/text-ids.js')
      for (const part of ['server', 'static']) await warnOfScriptIds(session, join(folder, part))
    },
  }
}

/** Returns a function that responds with code or an error. A build closes the session once no responses are pending. */
function createAnswers(session: Session, command: 'serve' | 'build') {
  let pending = 0
  return async (make: () => Promise<string>): Promise<Answer> => {
    pending += 1
    try {
      const code = await make()
      return { code, watched: await session.watchedFile() }
    } catch (error) {
      // Missing content may be added later. Without valid options, nothing can be watched.
      return { error: messageOf(showFrame(error)), watched: await session.watchedFile().catch(() => undefined) }
    } finally {
      pending -= 1
      if (pending === 0 && command === 'build') await session.close()
    }
  }
}

/** Writes a file to the folder for the files of a build's modules. @returns its path, relative to the style sheet */
async function writeForSheet(file: FileDescriptor, sheet: string, root: string, session: Session): Promise<string> {
  const path = join(projectFolder(root), 'next', addressPath(file))
  await replaceFile(path, Buffer.from(await session.file(file)))
  return encodeURI(`./${relative(dirname(sheet), path).replaceAll('\\', '/')}`)
}

/**
 * Tells Next.js that a file is still being made, because Next.js ends an idle request after 30 s, and prints a notice
 * if we set a longer limit.
 */
export function keepWaiting(response: ServerResponse): void {
  const timer = setInterval(() => response.headersSent || response.writeProcessing(), 10_000)
  response.once('close', () => clearInterval(timer))
}

async function loadModule(
  specifier: string,
  session: Session,
  references: References,
  runtimes: CopiedRuntimes,
): Promise<string> {
  try {
    const engine = await session.engine()
    const { parseImport, requestToId } = await import('../../bundlers/session/content.js')
    const request = parseImport(engine, specifier)
    const code = await session.module(requestToId(request), request, references)
    await runtimes.written()
    session.sourceChanged()
    return code
  } catch (error) {
    throw await locate(error, specifier, session).catch(() => error)
  }
}

/** Adds the first file that imports a specifier to an error, because a loader doesn't know the importing file. */
async function locate(error: unknown, specifier: string, session: Session): Promise<unknown> {
  const engine = await session.engine()
  const { root, scan } = engine.options
  const { withUse } = await import('../write-modules/render.js')
  const { scanSources } = await import('../../source/scan.js')
  const uses = await scanSources(root, scan)
  const use = uses.find((one) => one.specifier === specifier)
  return withUse(error, specifier, use, engine)
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

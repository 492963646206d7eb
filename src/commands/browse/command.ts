import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import { ignoreCodes, messageOf } from '../../errors.js'
import type { KitBrowser } from './browser.js'
import type { Engine } from '../../engine/engine.js'
import { countText, sizeText } from '../../text/quantities.js'
import {
  kitName,
  outOption,
  portOption,
  usageError,
  withEngine,
  type CommonFlags,
  type FlagExceptions,
} from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

type BrowseFlags = CommonFlags & { port?: number; open?: boolean; out?: string }

const help = `
Examples:
  npx content-space browse --open          look at every kit of the space
  npx content-space browse brand --open    start with the kit brand
  npx content-space browse brand --out brand-site
                                           write the page as files, for others

A folder that --out has written works in any folder of any web host. It shows
the version in use; brand@draft adds the draft. It contains nothing of the
project, and no address of the service.

In a dev server of Vite, webpack or Rspack, the page is at /__content-space/.`

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('browse')
    .summary('show the kits of the space in the browser')
    .argument('[kit...]', `${kitName} to start with (default: the first); with --out, the kits to write (default: all)`)
    .addOption(portOption('port to listen on; 0 picks a free one (default: 4747, or a free one if it is in use)'))
    .option('--open', 'open the page in the browser')
    .addOption(outOption('folder to write a static site to, instead of starting a server').makeOptionMandatory(false))
    .description(help)
    .action(async (kits: string[], flags: BrowseFlags) => {
      const { out, port, open } = flags
      if (out !== undefined && (port !== undefined || open))
        throw usageError('--out writes files instead of starting a server, so it cannot be used with --port or --open.')
      if (out === undefined && kits.length > 1) throw usageError('Several kits can only be given with --out.')
      await (out === undefined ? browse(kits[0], flags, terminal) : writePages(kits, out, flags, terminal))
    })
}

async function writePages(kits: string[], out: string, flags: BrowseFlags, terminal: Terminal): Promise<void> {
  const { cwd, signal, warn } = terminal
  const report = await withEngine(terminal, flags, async (engine, waiting) => {
    const { writeSite } = await import('./site.js')
    const onProgress = flags.json ? () => {} : waiting.progress
    return writeSite(engine, { kits, out: resolve(cwd, out), signal, onProgress })
  })
  if (flags.json) return terminal.printJson(report)
  for (const { name, reason } of report.missing) warn(`The site has no picture of ${name}: ${reason}`)
  const { versions, files, size, changed } = report
  const assets = versions.reduce((sum, version) => sum + version.assets, 0)
  const contents = [
    countText(new Set(versions.map(({ kit }) => kit)).size, 'kit'),
    countText(assets, 'asset'),
    `${countText(files, 'file')} (${sizeText(size)})`,
  ].join(', ')
  const folder = relative(cwd, report.out) || '.'
  const outcome = changed
    ? `wrote ${folder}: ${contents}. Serve it from any web host; a browser does not open it as a file.`
    : `${folder} is up to date: ${contents}`
  terminal.print(ended(outcome, true, terminal))
}

/** Reads the options, and prints the address before loading anything from the space. */
async function browse(kit: string | undefined, flags: BrowseFlags, terminal: Terminal): Promise<void> {
  // The server runs until it is interrupted.
  await withEngine(terminal, flags, async (engine, waiting) => {
    const { serveBrowser, requireFolders } = await import('./server.js')
    const { kitFragment } = await import('./routes.js')
    await requireFolders(engine.options)
    waiting.end()
    const server = await serveBrowser(await openWatched(engine, terminal), flags.port)
    try {
      const url = server.url + (kit === undefined ? '' : kitFragment(kit))
      if (flags.json) terminal.printJson({ url })
      else terminal.print([`The kit browser is at `, { style: 'cyan', text: url }])
      if (flags.open) await openPage(url, terminal)
      if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    } finally {
      await server.close()
    }
  }).catch(ignoreCodes('aborted'))
}

async function openWatched(engine: Engine, { note, signal }: Terminal): Promise<KitBrowser> {
  const { openBrowser } = await import('./browser.js')
  const options = { mode: 'browse', warn: note } as const
  if (engine.options.refresh === false) return openBrowser(engine, options)
  const { refresh } = await import('../shared/kits.js')
  const { followContent } = await import('../../engine/follow-content.js')
  const { default: PQueue } = await import('p-queue')
  const checks = new PQueue({ concurrency: 1 })
  let isAway = false
  /** Whether content may have changed while no page was open. */
  let isMissed = false
  async function checkNow(): Promise<boolean> {
    isMissed = !browser.isWatched()
    if (isMissed) return false
    try {
      const hasChanged = await refresh(engine)
      if (hasChanged) browser.contentChanged()
      isAway = false
      return hasChanged
    } catch (error) {
      if (!isAway && !signal.aborted) note(`warning: ${messageOf(error)}`)
      isAway = true
      return false
    }
  }
  async function check(): Promise<boolean> {
    // A running check may have missed a change that was made during the check.
    return checks.size === 0 && checks.add(checkNow)
  }
  const browser = openBrowser(engine, { ...options, onPage: () => (isMissed ? void check() : following.wake()) })
  const following = await followContent(engine.options, browser.isWatched, check, engine.space)
  signal.addEventListener('abort', () => void following.stop(), { once: true })
  return browser
}

/** The program that opens an address in the user's browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, readonly [opener: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

async function openPage(url: string, { warn }: Terminal): Promise<void> {
  const [opener, ...args] = openers[process.platform] ?? ['xdg-open']
  try {
    const child = spawn(opener, [...args, url], { stdio: 'ignore', detached: true })
    child.unref()
    await once(child, 'spawn')
  } catch (error) {
    warn(`The browser could not be opened: ${messageOf(error)}`)
  }
}

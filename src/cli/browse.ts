import { once } from 'node:events'
import { Command } from 'commander'
import type { KitBrowser } from '../commands/browse/browser.js'
import type { BuildImporter } from '../importer.js'
import { kitName, type CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'
import { parser, readInteger } from './usage.js'
import { withImporter } from './with-importer.js'

interface BrowseFlags extends CommonFlags {
  port?: number
  open?: boolean
}

const maxPort = 65_535

const help = `
Examples:
  content-space browse --open          look at every kit of the space
  content-space browse brand --open    start with the kit brand

In a dev server of Vite, webpack or Rspack, the same page is at /__content-space/.`

/** `content-space browse [kit]` */
export function browseCommand(terminal: Terminal): Command {
  return new Command('browse')
    .description('show the kits of the space in the browser')
    .argument('[kit]', `${kitName} to start with (default: the first)`)
    .option(
      '--port <n>',
      'port to listen on; 0 picks a free one (default: 4747, or a free one if it is in use)',
      parser('--port', `a whole number from 0 to ${maxPort}`, (text) => readInteger(text, maxPort)),
    )
    .option('--open', 'open the page in the browser')
    .addHelpText('after', help)
    .action((kit: string | undefined, flags: BrowseFlags) => browse(kit, flags, terminal))
}

/** The address is printed before anything else is loaded. Requests wait until the kit browser is there. */
async function browse(kit: string | undefined, flags: BrowseFlags, terminal: Terminal): Promise<void> {
  const [{ serveBrowser }, { kitFragment }] = await Promise.all([
    import('../commands/browse/server.js'),
    import('../commands/browse/routes.js'),
  ])
  const server = await serveBrowser(flags.port)
  const url = server.url + (kit === undefined ? '' : kitFragment(kit))
  if (flags.json) terminal.printJson({ url })
  else terminal.print([`The kit browser is at `, { style: 'cyan', text: url }])
  try {
    await withImporter(terminal, flags, async (importer) => {
      server.answerWith(await openBrowser(importer, terminal))
      if (flags.open) await openPage(url, terminal)
      if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    })
  } finally {
    await server.close()
  }
}

async function openBrowser(importer: BuildImporter, { note, signal }: Terminal): Promise<KitBrowser> {
  const browser = await importer.browser({ mode: 'browse', warn: note })
  const { refresh, space } = importer.options
  if (refresh === false) return browser
  let isChecking = false
  let isAway = false
  const check = async (): Promise<void> => {
    if (isChecking || !browser.isWatched()) return
    isChecking = true
    try {
      if (await importer.refresh()) browser.contentChanged()
      isAway = false
    } catch (error) {
      if (!isAway && !signal.aborted) note(`warning: ${error instanceof Error ? error.message : String(error)}`)
      isAway = true
    } finally {
      isChecking = false
    }
  }
  // A folder is fast to look at.
  const seconds = 'folder' in space ? Math.min(refresh, 1) : refresh
  const timer = setInterval(() => void check(), seconds * 1000).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return browser
}

async function openPage(url: string, { note }: Terminal): Promise<void> {
  try {
    const { default: open } = await import('open')
    await open(url)
  } catch (error) {
    note(`warning: The browser could not be opened: ${error instanceof Error ? error.message : String(error)}`)
  }
}

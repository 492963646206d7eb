import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

// This build without a user interface takes little more than half the time, but some distributions have only the full
// browser.
const shell = '/usr/bin/chromium-headless-shell'

/** Starts Debian's Chromium without background activity, because its requests could fail. */
export function launch(): Promise<Browser> {
  const flags =
    '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
  return chromium.launch({
    executablePath: existsSync(shell) ? shell : '/usr/bin/chromium',
    args: flags.split(' '),
  })
}

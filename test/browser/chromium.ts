import { chromium, type Browser } from 'playwright-core'

/** Starts Debian's Chromium without background activity, whose requests could fail. */
export function launch(): Promise<Browser> {
  const flags =
    '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: flags.split(' ') })
}

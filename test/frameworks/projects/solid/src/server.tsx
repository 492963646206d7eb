import { generateHydrationScript, renderToString } from 'solid-js/web'
import { Page } from './page.jsx'

/** Returns the content of the page's head and body. */
export function render() {
  return { head: generateHydrationScript(), body: renderToString(() => <Page />) }
}

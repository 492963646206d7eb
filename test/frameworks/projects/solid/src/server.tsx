import { generateHydrationScript, renderToString } from 'solid-js/web'
import { Page } from './page.jsx'

/** Returns what belongs in the head and in the body of the page. */
export function render() {
  return { head: generateHydrationScript(), body: renderToString(() => <Page />) }
}

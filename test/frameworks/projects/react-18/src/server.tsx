import { renderToString } from 'react-dom/server'
import { Page } from './page.jsx'

/** Returns what belongs in the head and in the body of the page. */
export function render() {
  return { head: '', body: renderToString(<Page />) }
}

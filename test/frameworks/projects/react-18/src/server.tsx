import { renderToString } from 'react-dom/server'
import { Page } from './page.jsx'

/** Returns the content of the page's head and body. */
export function render() {
  return { head: '', body: renderToString(<Page />) }
}

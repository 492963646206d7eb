import { hydrate } from 'preact'
import { Page } from './page.jsx'

hydrate(<Page />, document.body)
